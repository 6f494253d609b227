import { createMailSender as createSender, type MailSender } from '@forecourt/durable/mail';
import type { Logger } from 'pino';
import type { MailStore, StoredMail } from './mailStore.ts';

/** Hands one mail over; rejects when that failed. */
export interface MailTransport {
  /** Where a mail is after it was handed over. */
  readonly state: 'sent' | 'outbox';
  send(mail: StoredMail): Promise<void>;
}

/** ms to the next attempt by the number of those that failed: two days in all. */
const PAUSES = [
  5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000,
];

/** Sends what is due; what fails is tried for two days, then it stands in the list of dead letters. */
export const createMailSender = (parts: {
  readonly mails: MailStore;
  readonly transport: MailTransport;
  readonly logger: Logger;
  readonly now?: () => number;
  readonly pauses?: readonly number[];
}): MailSender => {
  const { mails, transport, logger, now, pauses = PAUSES } = parts;
  return createSender({
    queue: {
      due: (limit) => mails.due(limit),
      delivered: ({ id }) => mails.delivered(id, transport.state),
      failed: ({ id }, message, nextAt) => mails.failed(id, message, nextAt),
    },
    send: (mail) => transport.send(mail),
    pauses,
    logger,
    now,
  });
};
