import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import type { MailOutbox, StoredMail } from './outbox.ts';

/** Hands one mail over; rejects when that failed. */
export type SendMail = (mail: StoredMail) => Promise<void>;

/** ms; a server that says nothing for so long is dead. */
const SMTP_TIMEOUT_MS = 15_000;
const BATCH = 20;
/** ms to the next attempt, by the number of those that failed: about as long as a link is good. */
const PAUSES = [5_000, 15_000, 60_000, 300_000, 900_000, 1_800_000];

/** A mail server: `smtp://user:password@host:587` or `smtps://…`. */
export function createSmtp(url: string, from: string): { send: SendMail; close: () => void } {
  const smtp = createTransport({
    url,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ to, subject, text }) => void (await smtp.sendMail({ from, to, subject, text })),
    close: () => smtp.close(),
  };
}

/** Sends what is due, one after the other; what fails is tried for an hour. Answers how many were sent. */
export function createMailSender(parts: {
  readonly outbox: MailOutbox;
  readonly send: SendMail;
  readonly logger: Logger;
  readonly now?: () => number;
}): { sendDue: () => Promise<number> } {
  const { outbox, send, logger, now = Date.now } = parts;
  let running: Promise<number> | undefined;
  const sendBatch = async () => {
    let sent = 0;
    for (const mail of outbox.due(BATCH)) {
      try {
        await send(mail);
        outbox.remove(mail.id);
        sent += 1;
      } catch (error) {
        const pause = PAUSES[mail.attempts];
        if (pause === undefined) outbox.remove(mail.id);
        else outbox.postpone(mail.id, now() + pause);
        // Neither address nor text: both are somebody's secret.
        logger[pause === undefined ? 'error' : 'warn'](
          { err: error, mail: mail.id, attempts: mail.attempts + 1 },
          pause === undefined ? 'mail given up' : 'mail not delivered yet',
        );
      }
    }
    return sent;
  };
  return { sendDue: () => (running ??= sendBatch().finally(() => (running = undefined))) };
}
