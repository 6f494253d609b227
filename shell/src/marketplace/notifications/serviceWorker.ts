import type { RequestHandler } from 'express';

/** The parts of the global scope that the worker uses. */
export interface PushWorkerScope {
  readonly registration: { showNotification(title: string, options: object): Promise<void> };
  readonly location: { readonly origin: string };
  readonly clients: {
    matchAll(options: object): Promise<readonly OpenPage[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: string, listen: (event: PushWorkerEvent) => void): void;
}
interface OpenPage {
  readonly url: string;
  focus(): Promise<unknown>;
}
export interface PushWorkerEvent {
  waitUntil(work: Promise<unknown>): void;
  readonly data?: { json(): unknown } | null;
  readonly notification?: { readonly data?: { readonly url?: string }; close(): void };
}

/**
 * The service worker: shows pushed notifications and opens their page on a tap.
 * The upstream pushes `{title, body, url, tag}`; Firebase wraps it as `notification`
 * (with the link in `fcmOptions`) or as `data` (AMB-128). Nothing is cached. The
 * function is sent to browsers as source text, so it must be self-contained.
 */
function pushWorker(scope: PushWorkerScope): void {
  // Pages do not depend on the worker's version, so a new one takes over at once.
  scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()));

  scope.addEventListener('push', (event) => {
    const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
      typeof value === 'object' && value !== null ? { ...value } : {};
    const text = (value: unknown) => (typeof value === 'string' ? value : '');
    let message: Readonly<Record<string, unknown>> = {};
    try {
      const pushed = fieldsOf(event.data?.json());
      message = {
        ...pushed,
        ...fieldsOf(pushed['data']),
        ...fieldsOf(pushed['notification']),
      };
      const link = fieldsOf(pushed['fcmOptions'])['link'];
      if (link !== undefined) message = { ...message, url: link };
    } catch {
      // Not JSON: browsers require a notification anyway.
    }
    event.waitUntil(
      scope.registration.showNotification(text(message['title']) || 'News about your search', {
        body: text(message['body']),
        tag: text(message['tag']),
        data: { url: text(message['url']) },
      }),
    );
  });

  scope.addEventListener('notificationclick', (event) => {
    event.notification?.close();
    const home = `${scope.location.origin}/cars-for-sale`;
    const url = new URL(event.notification?.data?.url || home, scope.location.origin);
    // Never opens another site.
    const target = url.origin === scope.location.origin ? url.href : home;
    event.waitUntil(
      scope.clients.matchAll({ type: 'window', includeUncontrolled: true }).then((pages) => {
        const open = pages.find((page) => page.url === target);
        return open ? open.focus() : scope.clients.openWindow(target);
      }),
    );
  });
}

/** The worker as a script. */
export const PUSH_WORKER_SOURCE = `(${pushWorker.toString()})(self);\n`;

/**
 * `GET /cars-for-sale/api/firebase-messaging-sw.js`: the service
 * worker of notifications. Its path is below that of its pages, so a header
 * allows the wider scope.
 */
export const serviceWorker: RequestHandler = (_, response) => {
  response
    .type('text/javascript')
    .set({ 'Cache-Control': 'no-cache', 'Service-Worker-Allowed': '/cars-for-sale/' })
    .send(PUSH_WORKER_SOURCE);
};
