import { Router } from 'express';
import { ApiError } from '../http/apiError.ts';
import { noStore } from '../http/caching.ts';
import type { MailState, MailStore } from './mailStore.ts';

const STATES: readonly MailState[] = ['pending', 'sent', 'dead', 'outbox'];

/**
 * The outbox of local mode: `GET /outbox?state=` lists mails, newest first
 * (without a mail server they stay here; `dead` are the dead letters),
 * `POST /outbox/{id}/retry` revives a dead letter.
 */
export function outboxRoutes(mails: MailStore): Router {
  const router = Router();
  router.get('/outbox', noStore, (request, response) => {
    const state = STATES.find((known) => known === request.query['state']);
    response.json({ counts: mails.counts(), mails: mails.list(state) });
  });
  router.post('/outbox/:id/retry', noStore, (request, response) => {
    if (!mails.retry(Number(request.params.id)))
      throw new ApiError(404, 'MAIL_NOT_FOUND', 'There is no such dead letter');
    response.status(204).end();
  });
  return router;
}
