import type { Logger } from './log.ts';
import { type SendMailOptions, createTransport } from 'nodemailer';

export interface QueuedMail {
  readonly id: number;
  /** Failed attempts. */
  readonly attempts: number;
}

/** Emails stored until they are delivered. */
export interface MailQueue<Mail extends QueuedMail> {
  /** Emails due now, oldest first. */
  readonly due: (limit: number) => readonly Mail[] | Promise<readonly Mail[]>;
  /** Keeps other senders off a due email until `until`, ms since 1970; false when one of them was first. */
  readonly claim: (mail: Mail, until: number) => boolean | Promise<boolean>;
  readonly delivered: (mail: Mail) => void | Promise<void>;
  /**
   * Retries at `nextAt`, ms since 1970; without it the email becomes a dead letter. `isBounce`: the mail server says that
   * the mailbox takes no emails.
   */
  readonly failed: (
    mail: Mail,
    message: string,
    nextAt: number | undefined,
    isBounce: boolean,
  ) => void | Promise<void>;
}

export interface MailSender {
  /** Returns the number of delivered emails; concurrent calls share one run. */
  readonly sendDue: () => Promise<number>;
}

/** Emails per run. */
const BATCH = 50;

/** ms until another sender may try an email whose sender died: longer than a mail server may take. */
const CLAIM_MS = 120_000;

/** SMTP 5xx: a permanent rejection of the email, unless the server only refuses to start TLS. */
const isPermanentFailure = (error: unknown): boolean => {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return code !== 'ETLS' && responseCode !== undefined && responseCode >= 500 && responseCode < 600;
};

/** Replies to RCPT TO that are about the mailbox: unavailable, moved, or not allowed. */
const BOUNCES: readonly (number | undefined)[] = [550, 551, 553];

const isBouncing = (error: unknown): boolean => {
  const { command, responseCode } = error as { command?: string; responseCode?: number };
  return command === 'RCPT TO' && BOUNCES.includes(responseCode);
};

/**
 * Sends due emails one after the other, at least once: an email counts as sent
 * after the server has accepted it, so that a crash in between resends it. Several
 * senders may share a queue; each claims an email before it sends it.
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
    if (!(await queue.claim(mail, now() + CLAIM_MS))) return false;
    try {
      await send(mail);
    } catch (error) {
      const pause = isPermanentFailure(error) ? undefined : pauses[mail.attempts];
      const message = error instanceof Error ? error.message : String(error);
      const nextAt = pause === undefined ? undefined : now() + pause;
      await queue.failed(mail, message, nextAt, isBouncing(error));
      logger[pause === undefined ? 'error' : 'warn'](
        { err: error, mail: mail.id, attempts: mail.attempts + 1 },
        pause === undefined ? 'mail given up' : 'mail not delivered yet',
      );
      return false;
    }
    await queue.delivered(mail);
    return true;
  }

  async function sendBatch(): Promise<number> {
    let sentCount = 0;
    for (const mail of await queue.due(BATCH)) if (await deliver(mail)) sentCount++;
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

export interface SmtpOptions {
  /** `smtp://user:password@host:587` or `smtps://…` */
  readonly url: string;
  readonly from: string;
  /** Whether a connection without TLS may be used if the URL doesn't say it by `requireTLS`. */
  readonly isLocal: boolean;
}

/** Whether no mail leaves without TLS. Without it, TLS is used if the server offers it: for a relay on the same machine. */
export function requiresTls({ url, isLocal }: Pick<SmtpOptions, 'url' | 'isLocal'>): boolean {
  const parameter = new URL(url).searchParams.get('requireTLS');
  return parameter === null ? !isLocal : parameter !== 'false';
}

/** A mail server. */
export function createSmtp({ url, from, isLocal }: SmtpOptions): Smtp {
  const smtp = createTransport({
    url,
    // STARTTLS, or no delivery: a stripped offer must not downgrade the connection.
    requireTLS: requiresTls({ url, isLocal }),
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
