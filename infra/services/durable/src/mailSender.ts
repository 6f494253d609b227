import type { Logger } from 'pino';
import { type SendMailOptions, createTransport } from 'nodemailer';

export interface QueuedMail {
  readonly id: number;
  /** Failed attempts. */
  readonly attempts: number;
}

/** Emails stored until they are delivered. */
export interface MailQueue<Mail extends QueuedMail> {
  /** Emails due now, oldest first. */
  readonly due: (limit: number) => readonly Mail[];
  readonly delivered: (mail: Mail) => void;
  /** Retries at `nextAt`, ms since 1970; without it the email becomes a dead letter. */
  readonly failed: (mail: Mail, message: string, nextAt: number | undefined) => void;
}

export interface MailSender {
  /** Returns the number of delivered emails; concurrent calls share one run. */
  readonly sendDue: () => Promise<number>;
}

/** Emails per run. */
const BATCH = 50;

/** SMTP 5xx: a permanent rejection. */
const isPermanentFailure = (error: unknown): boolean => {
  const { responseCode } = error as { responseCode?: number };
  return responseCode !== undefined && responseCode >= 500 && responseCode < 600;
};

/**
 * Sends due emails one after the other, at least once: an email counts as sent
 * after the server has accepted it, so that a crash in between resends it.
 * Failures are retried after each of the `pauses` (ms). Addresses and texts are
 * private and are never logged.
 */
export function createMailSender<Mail extends QueuedMail>(parts: {
  readonly queue: MailQueue<Mail>;
  /** Delivers one email; rejects on failure. */
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
      const pause = isPermanentFailure(error) ? undefined : pauses[mail.attempts];
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
    let sentCount = 0;
    for (const mail of queue.due(BATCH)) if (await deliver(mail)) sentCount++;
    return sentCount;
  }
  return { sendDue: () => (running ??= sendBatch().finally(() => (running = undefined))) };
}

/** ms without a response from the server. */
const SMTP_TIMEOUT_MS = 15_000;

export interface Smtp {
  /** Delivers one message; rejects on failure. */
  readonly send: (message: Omit<SendMailOptions, 'from'>) => Promise<void>;
  readonly close: () => void;
}

/** A mail server: `smtp://user:password@host:587` or `smtps://…`. */
export function createSmtp(url: string, from: string): Smtp {
  const smtp = createTransport({
    url,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async (message) => void (await smtp.sendMail({ from, ...message })),
    close: () => smtp.close(),
  };
}
