import type { Logger } from 'pino';

export interface QueuedMail {
  readonly id: number;
  /** Attempts that failed. */
  readonly attempts: number;
}

/** Mails that are written down until they are handed over. */
export interface MailQueue<Mail extends QueuedMail> {
  /** Those to be tried now, oldest first. */
  readonly due: (limit: number) => readonly Mail[];
  readonly delivered: (mail: Mail) => void;
  /** Tries again at `nextAt`, ms since 1970; without one the mail is given up. */
  readonly failed: (mail: Mail, message: string, nextAt: number | undefined) => void;
}

export interface MailSender {
  /** Gives the number of mails that were handed over; a call during another one joins it. */
  readonly sendDue: () => Promise<number>;
}

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
 * again. What fails is tried after each of the `pauses` (ms), then given up.
 * The log names neither address nor text: both may be somebody's secret.
 */
export function createMailSender<Mail extends QueuedMail>(parts: {
  readonly queue: MailQueue<Mail>;
  /** Hands one mail over; rejects when that failed. */
  readonly send: (mail: Mail) => Promise<void>;
  readonly pauses: readonly number[];
  readonly logger: Logger;
  readonly now?: () => number;
}): MailSender {
  const { queue, send, pauses, logger, now = Date.now } = parts;
  let running: Promise<number> | undefined;

  async function deliver(mail: Mail): Promise<boolean> {
    try {
      await send(mail);
    } catch (error) {
      const pause = isRefusedForGood(error) ? undefined : pauses[mail.attempts];
      const message = error instanceof Error ? error.message : String(error);
      queue.failed(mail, message, pause === undefined ? undefined : now() + pause);
      logger[pause === undefined ? 'error' : 'warn'](
        { err: error, mail: mail.id, attempts: mail.attempts + 1 },
        pause === undefined ? 'mail given up' : 'mail not delivered yet',
      );
      return false;
    }
    queue.delivered(mail);
    return true;
  }

  async function sendBatch(): Promise<number> {
    let sent = 0;
    for (const mail of queue.due(BATCH)) if (await deliver(mail)) sent++;
    return sent;
  }
  return { sendDue: () => (running ??= sendBatch().finally(() => (running = undefined))) };
}
