import type { RequestHandler } from 'express';
import { PUSH_WORKER_SOURCE } from '../push/pushWorker.ts';

/**
 * `GET /cars-for-sale/api/firebase-messaging-sw.js` (A7-SW-01): the service
 * worker of notifications. It lies deeper than the pages that it is for, so
 * the answer allows the wider scope (A7-SW-02, AMB-128). Browsers look for a
 * new one with each registration.
 */
export const serviceWorker: RequestHandler = (_, response) => {
  response
    .type('text/javascript')
    .set({ 'Cache-Control': 'no-cache', 'Service-Worker-Allowed': '/cars-for-sale/' })
    .send(PUSH_WORKER_SOURCE);
};
