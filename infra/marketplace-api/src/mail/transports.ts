import { createTransport } from 'nodemailer';
import type { MailTransport } from './mailSender.ts';
import type { StoredMail } from './mailStore.ts';

/** ms; a server that says nothing for so long is dead. */
const SMTP_TIMEOUT_MS = 15_000;

/** Delivers to a mail server: `smtp://user:password@host:587` or `smtps://…`. */
export function createSmtpTransport(url: string, from: string): MailTransport & { close(): void } {
  const smtp = createTransport({
    url,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const host = from.replace(/^.*@/, '').replace(/[>\s].*$/, '');
  return {
    state: 'sent',
    async send(mail: StoredMail) {
      const { to, subject, text, html, replyTo, headers, attachments } = mail;
      await smtp.sendMail({
        from,
        to,
        subject,
        text,
        html,
        replyTo,
        headers,
        // The same for every attempt: a receiver drops what it has already.
        messageId: `<${mail.kind}.${mail.id}.${mail.createdAt}@${host}>`,
        attachments: attachments?.map(({ filename, contentType, content }) => ({
          filename,
          contentType,
          content,
        })),
      });
    },
    close: () => smtp.close(),
  };
}

/** Without a mail server: mails stay where they are, to be read at `GET /outbox`. */
export const localOutbox: MailTransport = { state: 'outbox', send: () => Promise.resolve() };
