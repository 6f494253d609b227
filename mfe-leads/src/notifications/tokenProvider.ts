import type { Call } from '@forecourt/shared-contracts/slots';

/** What the service worker that shows notifications is for (A7-SW-02, AMB-128). */
export const WORKER_SCOPE = '/cars-for-sale/';

/** Gets this browser's token of a push service; throws when there is none to be had. */
export interface TokenProvider {
  readonly token: (registration: ServiceWorkerRegistration) => Promise<string>;
  /** Ends the subscription. */
  readonly forget: (registration: ServiceWorkerRegistration) => Promise<void>;
}

/** Base64url text of the key → its bytes. */
function keyBytes(text: string): Uint8Array<ArrayBuffer> {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** Standard Web Push with the upstream's own keys: the token is the subscription as JSON text. */
export const createWebPush = (call: Call): TokenProvider => ({
  async token(registration) {
    const { publicKey } = await call('webPushKey', {});
    if (!publicKey) throw new Error('the upstream names no key for Web Push');
    const known = await registration.pushManager.getSubscription();
    const subscription =
      known ??
      (await registration.pushManager.subscribe({
        userVisibleOnly: true,
        applicationServerKey: keyBytes(publicKey),
      }));
    return JSON.stringify(subscription);
  },
  async forget(registration) {
    await (await registration.pushManager.getSubscription())?.unsubscribe();
  },
});
