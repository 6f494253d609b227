import { Router } from 'express';

/** Live: the process answers. Ready: the index is filled and the database reads. */
export function healthRoutes(isReady: () => boolean): Router {
  const router = Router();
  router.get('/health/live', (_, response) => {
    response.json({ status: 'live' });
  });
  router.get('/health/ready', (_, response) => {
    const ready = isReady();
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'starting' });
  });
  return router;
}
