import {
  createMailSender as createSender,
  type MailSender,
  createSmtp,
  type SmtpOptions,
} from '@forecourt/service-kit/mail';
import type { Logger } from '@forecourt/service-kit/log';
import type { MailStore, StoredMail, MailState } from '../people/mailStore.ts';
import { Router } from 'express';
import { ApiError } from '../../http/middleware.ts';
import { noStore } from '../../http/requests.ts';

/** Delivers one email; rejects on failure. */
export interface MailTransport {
  /** State of an email after delivery. */
  readonly state: 'sent' | 'outbox';
  send(mail: StoredMail): Promise<void>;
}

/** ms before each retry; two days in total. */
const RETRY_DELAYS_MS = [
  5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000,
];

/** Sends due emails; failures are retried for two days and then become dead letters. */
export const createMailSender = (parts: {
  readonly mails: MailStore;
  readonly transport: MailTransport;
  readonly logger: Logger;
  readonly now?: () => number;
  readonly pauses?: readonly number[];
}): MailSender => {
  const { mails, transport, logger, now, pauses = RETRY_DELAYS_MS } = parts;
  return createSender({
    queue: {
      due: (limit) => mails.due(limit),
      claim: (mail, until) => mails.claim(mail, until),
      delivered: ({ id }) => mails.delivered(id, transport.state),
      failed: ({ id }, message, nextAt, isBounce) => mails.failed(id, message, nextAt, isBounce),
    },
    send: (mail) => transport.send(mail),
    pauses,
    logger,
    now,
  });
};

/** Delivers to a mail server. */
export function createSmtpTransport(options: SmtpOptions): MailTransport & { close(): void } {
  const smtp = createSmtp(options);
  const host = options.from.replace(/^.*@/, '').replace(/[>\s].*$/, '');
  return {
    state: 'sent',
    async send(mail: StoredMail) {
      const { to, subject, text, html, replyTo, headers, attachments } = mail;
      await smtp.send({
        to,
        subject,
        text,
        html,
        replyTo,
        headers,
        // The same for every attempt, so that the receiver drops duplicates.
        messageId: `<${mail.kind}.${mail.id}.${mail.createdAt}@${host}>`,
        attachments: attachments?.map(({ filename, contentType, content }) => ({
          filename,
          contentType,
          content,
        })),
      });
    },
    close: smtp.close,
  };
}

/** Without a mail server: emails stay in the database and are served at `GET /outbox`. */
export const localOutbox: MailTransport = { state: 'outbox', send: () => Promise.resolve() };

const STATES: readonly MailState[] = ['pending', 'sent', 'dead', 'outbox'];

/**
 * The outbox, in local mode: `GET /outbox?state=` lists emails, newest first;
 * `POST /outbox/{id}/retry` requeues a dead letter.
 */
export function outboxRoutes(mails: MailStore): Router {
  const router = Router();
  router.get('/outbox', noStore, async (request, response) => {
    const state = STATES.find((candidate) => candidate === request.query['state']);
    response.json({ counts: await mails.counts(), mails: await mails.list(state) });
  });
  router.post('/outbox/:id/retry', noStore, async (request, response) => {
    if (!(await mails.retry(Number(request.params.id))))
      throw new ApiError(404, 'MAIL_NOT_FOUND', 'Dead letter not found');
    response.status(204).end();
  });
  return router;
}
