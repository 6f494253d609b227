import type { Call } from '@forecourt/shared-contracts/slots';

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
