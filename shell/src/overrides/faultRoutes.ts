import express, { Router, type Response } from 'express';
import { sendError } from '../server/errors.ts';
import { infoOf, type Request } from '../server/requestContext.ts';

const ANSWER_MS = 5_000;

/** `…/faults`: the upstream's fault switches, for the devtools. Local mode only: the caller mounts them there. */
export function faultRoutes(upstreamUrl: string): Router {
  async function pass(
    request: Request,
    response: Response,
    path: string,
    init: RequestInit,
  ): Promise<unknown> {
    try {
      const answer = await fetch(`${upstreamUrl}/__faults${path}`, {
        ...init,
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const text = await answer.text();
      response.status(answer.status);
      return text === '' ? response.end() : response.type('json').send(text);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return sendError(response, 502, 'UNREACHABLE', reason, infoOf(request).requestId);
    }
  }

  const router = Router();
  router.get('/faults', (request, response) => pass(request, response, '', {}));
  router.post('/faults', express.json({ limit: '4kb' }), (request, response) =>
    pass(request, response, '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request.body),
    }),
  );
  router.delete('/faults', (request, response) => pass(request, response, '', { method: 'DELETE' }));
  return router;
}
