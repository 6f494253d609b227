/** s; a price drop of yesterday is no news. */
export const TIME_TO_LIVE = 86_400;

/** What the service worker shows. */
export interface Notification {
  readonly title: string;
  readonly body: string;
  /** Path on the site. */
  readonly url: string;
  /** A later notification of the same tag replaces this one. */
  readonly tag: string;
}

export interface PushSender {
  /** For subscriptions of browsers to Web Push. */
  readonly publicKey: string;
  /** May this browser's token be used at all? */
  accepts(token: string): boolean;
  /** 'gone': the browser took its permission back. Rejects when the push service could not be reached. */
  send(token: string, notification: Notification): Promise<'sent' | 'gone'>;
}

/** At most 32 characters of the URL alphabet (RFC 8030). */
export const topicOf = (tag: string): string => tag.replace(/[^\w-]/g, '').slice(0, 32);
