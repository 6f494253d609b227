import { createPictures } from '@forecourt/demo-data/pictures';
import express, { type Express, type Response } from 'express';

/** Who wants to hear of rebuilds. */
export class BuildNews {
  #build = '';
  readonly #readers = new Set<Response>();

  /** Tells every open page which build is current. */
  publish(build: string): void {
    this.#build = build;
    for (const reader of this.#readers) this.#tell(reader);
  }

  add(reader: Response): void {
    this.#readers.add(reader);
    reader.once('close', () => this.#readers.delete(reader));
    if (this.#build) this.#tell(reader);
  }

  #tell(reader: Response): void {
    reader.write(`event: build\ndata: ${this.#build}\n\n`);
  }
}

const page = (remote: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${remote}, alone</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/files/page.css">
</head>
<body>
<div id="workshop"></div>
<script src="/files/page.js" defer></script>
</body>
</html>
`;

/** Serves the standalone page of one remote: `files` is the folder of its build. */
export function createApp(deps: { remote: string; files: string; news: BuildNews }): Express {
  const app = express();
  const pictures = createPictures();
  app.disable('x-powered-by');
  app.use((_request, response, next) => {
    response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    next();
  });
  app.get('/', (_request, response) => {
    response.type('html').send(page(deps.remote));
  });
  app.use('/files', express.static(deps.files, { fallthrough: false }));
  app.get('/builds', (_request, response) => {
    response.type('text/event-stream').flushHeaders();
    deps.news.add(response);
  });
  app.get('/pictures/*path', (request, response) => {
    const svg = pictures.render(request.path);
    if (svg !== undefined) response.type('image/svg+xml').send(svg);
    else response.status(404).end();
  });
  return app;
}
