import { MAKE_OFFER_VERSION } from '@forecourt/shared-contracts/rules';

/** Versioned script that defines the make-offer element (A7-OFFER-01, AMB-196). */
export const MAKE_OFFER_SCRIPT = `/static/make-offer/${MAKE_OFFER_VERSION}/make-offer.js`;
/** Service worker that shows notifications (A7-SW-01). */
export const WORKER_PATH = '/cars-for-sale/api/firebase-messaging-sw.js';

/** All scripts that this remote runs in addition to its own release. */
const TRUSTED_SCRIPTS: readonly string[] = [MAKE_OFFER_SCRIPT, WORKER_PATH];

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}

/** The page's Content Security Policy allows this name, once per page. */
const POLICY = 'mfe-leads#scripts';
let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

/** Wraps a trusted script URL for Trusted Types; throws for any other URL. */
export function trustedScript(url: string): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy(POLICY, {
    createScriptURL(requested) {
      if (!TRUSTED_SCRIPTS.includes(requested))
        throw new TypeError(`${requested} is not a script of this remote`);
      return requested;
    },
  });
  return policy?.createScriptURL(url) ?? url;
}
