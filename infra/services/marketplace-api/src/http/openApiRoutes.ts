import { Router } from 'express';
import { ONE_HOUR, cacheable } from './caching.ts';
import { openApiDocument } from './openApi.ts';

/** `GET /openapi.json`: the interface, made once of the schemas by which it is checked. */
export function openApiRoutes(): Router {
  const router = Router();
  let document: string | undefined;
  router.get('/openapi.json', cacheable(ONE_HOUR), (_, response) => {
    document ??= JSON.stringify(openApiDocument());
    response.type('json').send(document);
  });
  return router;
}
