import type { Call } from '@forecourt/shared-contracts/slots';
import { subscriptionFor } from './subscription.ts';
import type { TokenProvider } from './tokenProvider.ts';

/** Standard Web Push with the upstream's own keys: the token is the subscription as JSON text. */
export const createWebPush = (call: Call): TokenProvider => ({
  async token(registration) {
    const { publicKey } = await call('webPushKey', {});
    if (!publicKey) throw new Error('the upstream names no key for Web Push');
    return JSON.stringify(await subscriptionFor(registration, publicKey));
  },
});
