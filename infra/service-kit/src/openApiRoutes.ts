import { type RequestHandler, Router } from 'express';
import type { Json } from './openApi.ts';
import { openApiPage } from './openApiPage.ts';

/**
 * `GET /openapi.json`: the document, made once, with the caching of `headers`. In local mode `GET /openapi` shows it on a page
 * without scripts, which loads nothing.
 */
export function openApiRoutes(
  describe: () => Json,
  { isLocal, headers }: { readonly isLocal: boolean; readonly headers: RequestHandler },
): Router {
  let document: Json | undefined;
  const read = (): Json => (document ??= describe());
  let text: string | undefined;
  const router = Router();
  router.get('/openapi.json', headers, (_request, response) => {
    text ??= JSON.stringify(read());
    response.type('json').send(text);
  });
  if (isLocal)
    router.get('/openapi', (_request, response) => {
      response
        .set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'")
        .set('Cache-Control', 'no-store')
        .type('html')
        .send(openApiPage(read()));
    });
  return router;
}
