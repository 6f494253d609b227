import { MAKE_OFFER_VERSION } from '@forecourt/shared-contracts/rules';

/** Address of the versioned script that defines the offer's element (A7-OFFER-01, AMB-196). */
export const MAKE_OFFER_SCRIPT = `/static/make-offer/${MAKE_OFFER_VERSION}/make-offer.js`;
/** Where the service worker that shows notifications lies (A7-SW-01). */
export const WORKER_PATH = '/cars-for-sale/api/firebase-messaging-sw.js';

/** All that this remote runs besides its own release. */
const SCRIPTS: readonly string[] = [MAKE_OFFER_SCRIPT, WORKER_PATH];

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}

/** The page's Content Security Policy names it, and lets it be made once. */
const POLICY = 'mfe-leads#scripts';
let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

/** The URL of one of these scripts as the page's Trusted Types want it; throws for any other. */
export function trustedScript(url: string): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy(POLICY, {
    createScriptURL(asked) {
      if (!SCRIPTS.includes(asked)) throw new TypeError(`${asked} is no script of this remote`);
      return asked;
    },
  });
  return policy?.createScriptURL(url) ?? url;
}
