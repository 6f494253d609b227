import type { Call } from '@forecourt/shared-contracts/slots';
import { createWebPush } from './webPush.ts';
import type { SessionState } from '@forecourt/shared-contracts/store';

/** What the service worker that shows notifications is for (A7-SW-02, AMB-128). */
export const WORKER_SCOPE = '/cars-for-sale/';

/** Gets this browser's token of a push service; throws when there is none to be had. */
export interface TokenProvider {
  readonly token: (registration: ServiceWorkerRegistration) => Promise<string>;
}

/** Standard Web Push, or Firebase where the site has configured it (AMB-128). */
export const createTokenProvider = (
  call: Call,
  firebase: NonNullable<SessionState['firebase']> | undefined,
): TokenProvider =>
  firebase === undefined
    ? createWebPush(call)
    : {
        // No other site pays for its code.
        async token(registration) {
          const { createFirebase } = await import('./firebase.ts');
          return createFirebase(firebase).token(registration);
        },
      };
