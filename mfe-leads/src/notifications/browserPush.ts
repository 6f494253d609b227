import type { recentListingsStorage } from '@forecourt/search/storage';
import type { SearchCriteria } from '@forecourt/search/criteria';
import type { Call } from '@forecourt/slots';

/** ms; older vehicle views do not trigger the notification prompt. */
export const NOTIFICATION_WINDOW_MS = 86_400_000;

/** Notification permission; `denied` is the specification's "blocked", `missing` means no Notification API. */
export type Permission = NotificationPermission | 'missing';

export const currentPermission = (): Permission =>
  'Notification' in window ? Notification.permission : 'missing';

/** Can this browser receive messages? Some have notifications without push. */
export const hasPush = (): boolean => 'PushManager' in window;

/** Asks the visitor unless they have already decided. */
export async function requestPermission(): Promise<Permission> {
  const current = currentPermission();
  return current === 'default' ? Notification.requestPermission() : current;
}

/** iPhones and iPads. Newer iPads report a Mac but have a touch screen. */
export const isIos = (): boolean =>
  /iPad|iPhone|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1);

/** Was the page opened from the home screen? On iOS only such pages can show notifications. */
export const isOnHomeScreen = (): boolean => window.matchMedia('(display-mode: standalone)').matches;

/**
 * May the prompt show? Once, to visitors who viewed a vehicle in the last 24
 * hours and search for a model or a body style.
 */
export function canPrompt({
  wasPrompted,
  recentInventory,
  criteria,
  now,
}: {
  readonly wasPrompted: boolean;
  readonly recentInventory: ReturnType<(typeof recentListingsStorage)['read']>;
  readonly criteria: Pick<SearchCriteria, 'filters'>;
  /** ms since 1970. */
  readonly now: number;
}): boolean {
  if (wasPrompted) return false;
  const newest = Math.max(...recentInventory.map(({ viewedAt }) => viewedAt));
  if (!(now - newest <= NOTIFICATION_WINDOW_MS)) return false;
  const { modelCode = [], vehicleStyleCode = [] } = criteria.filters;
  return modelCode.length > 0 || vehicleStyleCode.length > 0;
}

/** Gets this browser's push token; rejects when the push service has none. */
export interface TokenProvider {
  readonly token: (registration: ServiceWorkerRegistration) => Promise<string>;
}

/** Decodes a base64url key. */
function keyBytes(text: string): Uint8Array<ArrayBuffer> {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/**
 * This browser's push subscription for a VAPID public key (base64url). A
 * browser has only one subscription, so one for another key is ended first.
 */
export async function subscriptionFor(
  { pushManager }: ServiceWorkerRegistration,
  publicKey: string,
): Promise<PushSubscription> {
  const key = keyBytes(publicKey);
  const existing = await pushManager.getSubscription();
  const existingKey = existing?.options.applicationServerKey;
  if (existing && existingKey && String(new Uint8Array(existingKey)) === String(key)) return existing;
  await existing?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** Standard Web Push with the upstream's key: the token is the subscription as JSON. */
export const createWebPush = (call: Call): TokenProvider => ({
  async token(registration) {
    const { publicKey } = await call('webPushKey', {});
    if (!publicKey) throw new Error('the upstream has no Web Push key');
    return JSON.stringify(await subscriptionFor(registration, publicKey));
  },
});
