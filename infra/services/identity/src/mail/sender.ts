import { createMailSender as createSender, type MailSender } from '@forecourt/durable/mail';
import type { Logger } from 'pino';
import type { Mail, MailOutbox } from './outbox.ts';

/** Hands one mail over; rejects when that failed. */
export type SendMail = (mail: Mail) => Promise<void>;

/** ms to the next attempt, by the number of those that failed: about as long as a link is good. */
const PAUSES = [5_000, 15_000, 60_000, 300_000, 900_000, 1_800_000];

/** Sends what is due; what fails is tried for an hour, then forgotten with its link. */
export const createMailSender = (parts: {
  readonly outbox: MailOutbox;
  readonly send: SendMail;
  readonly logger: Logger;
  readonly now?: () => number;
}): MailSender => {
  const { outbox, send, logger, now } = parts;
  return createSender({
    queue: {
      due: outbox.due,
      delivered: ({ id }) => outbox.remove(id),
      failed: ({ id }, _, nextAt) => (nextAt === undefined ? outbox.remove(id) : outbox.postpone(id, nextAt)),
    },
    send: ({ to, subject, text }) => send({ to, subject, text }),
    pauses: PAUSES,
    logger,
    now,
  });
};
