import { MAKE_OFFER_VERSION } from '@forecourt/upstream/agreements';

/** Versioned script that defines the make-offer element. */
const MAKE_OFFER_SCRIPT = `/static/make-offer/${MAKE_OFFER_VERSION}/make-offer.js`;
/** Service worker that shows notifications. */
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

export const MAKE_OFFER_ELEMENT = 'make-offer-modal';

function addScript(): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = trustedScript(MAKE_OFFER_SCRIPT);
    script.addEventListener('load', () => resolve(), { once: true });
    script.addEventListener(
      'error',
      () => {
        // A failed script element cannot be reused; the next attempt adds a new one.
        script.remove();
        reject(new Error(`cannot load ${MAKE_OFFER_SCRIPT}`));
      },
      { once: true },
    );
    document.head.append(script);
  });
}

/** Loads the make-offer script once per page. A failed load rejects; the next call retries. */
export function createMakeOfferLoader(): () => Promise<void> {
  let loading: Promise<void> | undefined;
  const load = async () => {
    if (customElements.get(MAKE_OFFER_ELEMENT)) return;
    await addScript();
    if (!customElements.get(MAKE_OFFER_ELEMENT))
      throw new Error(`${MAKE_OFFER_SCRIPT} does not define ${MAKE_OFFER_ELEMENT}`);
  };
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
}
