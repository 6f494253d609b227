import { createPictures } from '@forecourt/demo-data/pictures';
import express, { type Express, type Response } from 'express';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commonConfiguration } from '@forecourt/build/rules';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import type { Configuration } from 'webpack';

/** Server-sent events about rebuilds. */
export class BuildNews {
  #build = '';
  readonly #clients = new Set<Response>();

  /** Sends the current build to every open page. */
  publish(build: string): void {
    this.#build = build;
    for (const client of this.#clients) this.#tell(client);
  }

  add(client: Response): void {
    this.#clients.add(client);
    client.once('close', () => this.#clients.delete(client));
    if (this.#build) this.#tell(client);
  }

  #tell(client: Response): void {
    client.write(`event: build\ndata: ${this.#build}\n\n`);
  }
}

const page = (remote: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${remote}: workshop</title>
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

const PAGE = fileURLToPath(new URL('page/main.tsx', import.meta.url));

/** The file with the scenarios of the remote in `directory`; undefined if it has none. */
export function scenariosOf(directory: string): string | undefined {
  return ['src/scenarios.ts', 'src/scenarios.tsx', 'src/scenarios/index.ts']
    .map((path) => join(directory, path))
    .find(existsSync);
}

/**
 * webpack configuration of the standalone page of the remote in `directory`:
 * one bundle of its slots, its scenarios, React and the contracts.
 * Throws when the remote has no scenarios.
 */
export function definePage(directory: string, repositoryRoot: string, output: string): Configuration {
  const scenarios = scenariosOf(directory);
  if (!scenarios) throw new Error(`${basename(directory)} has no src/scenarios.ts`);
  const common = commonConfiguration('web', directory);
  return {
    ...common,
    name: `workshop of ${basename(directory)}`,
    target: 'web',
    // The shell's pages have the tokens, too.
    entry: { page: ['@forecourt/slots/ui/tokens.css', PAGE] },
    resolve: { ...common.resolve, alias: { 'remote/scenarios$': scenarios } },
    output: { path: output, clean: true, filename: '[name].js', chunkFilename: '[name].[contenthash:8].js' },
    optimization: { minimize: false },
    plugins: [new MiniCssExtractPlugin({ filename: '[name].css' })],
    cache: {
      type: 'filesystem',
      cacheDirectory: join(repositoryRoot, '.cache/webpack'),
      name: `workshop-${basename(directory)}`,
    },
  };
}
