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
/** Mails handed over in one go. */
const BATCH = 50;

/** SMTP 5xx: the server will never take this mail as it is. */
const isRefusedForGood = (error: unknown): boolean => {
  const { responseCode } = error as { responseCode?: number };
  return responseCode !== undefined && responseCode >= 500 && responseCode < 600;
};

/**
 * Sends what is due, one after the other. At least once: a mail counts as sent
 * only after the server has taken it, so a crash between the two sends it
 * again under the same Message-ID. What fails is tried for two days, then it
 * stands in the list of dead letters.
 */
export function createMailSender(parts: {
  readonly mails: MailStore;
  readonly transport: MailTransport;
  readonly logger: Logger;
  readonly now?: () => number;
  readonly pauses?: readonly number[];
}) {
  const { mails, transport, logger, now = Date.now, pauses = PAUSES } = parts;
  let running: Promise<number> | undefined;

  async function deliver(mail: StoredMail): Promise<boolean> {
    try {
      await transport.send(mail);
    } catch (error) {
      const pause = isRefusedForGood(error) ? undefined : pauses[mail.attempts];
      const message = error instanceof Error ? error.message : String(error);
      mails.failed(mail.id, message, pause === undefined ? undefined : now() + pause);
      logger[pause === undefined ? 'error' : 'warn'](
        { err: error, mail: mail.id, kind: mail.kind, attempts: mail.attempts + 1 },
        pause === undefined ? 'mail given up' : 'mail not delivered yet',
      );
      return false;
    }
    mails.delivered(mail.id, transport.state);
    return true;
  }

  async function sendBatch(): Promise<number> {
    let sent = 0;
    for (const mail of mails.due(BATCH)) if (await deliver(mail)) sent++;
    return sent;
  }

  return {
    /** Gives the number of mails that were handed over; a call during another one joins it. */
    sendDue(): Promise<number> {
      running ??= sendBatch().finally(() => (running = undefined));
      return running;
    },
  };
}
export type MailSender = ReturnType<typeof createMailSender>;
