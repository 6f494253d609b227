import { createSmtp } from '@forecourt/durable/smtp';
import type { MailTransport } from './mailSender.ts';
import type { StoredMail } from './mailStore.ts';

/** Delivers to a mail server: `smtp://user:password@host:587` or `smtps://…`. */
export function createSmtpTransport(url: string, from: string): MailTransport & { close(): void } {
  const smtp = createSmtp(url, from);
  const host = from.replace(/^.*@/, '').replace(/[>\s].*$/, '');
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
        // The same for every attempt: a receiver drops what it has already.
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

/** Without a mail server: mails stay where they are, to be read at `GET /outbox`. */
export const localOutbox: MailTransport = { state: 'outbox', send: () => Promise.resolve() };
