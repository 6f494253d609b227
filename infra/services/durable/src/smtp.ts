import { createTransport, type SendMailOptions } from 'nodemailer';

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
