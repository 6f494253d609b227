import { MAKE_OFFER_VERSION } from '@forecourt/shared-contracts/rules';

/** Address of the versioned script that defines the offer's element (A7-OFFER-01, AMB-196). */
export const MAKE_OFFER_SCRIPT = `/static/make-offer/${MAKE_OFFER_VERSION}/make-offer.js`;
export const MAKE_OFFER_ELEMENT = 'make-offer-modal';

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}

/** The one script that this remote adds to a page itself; the page's Content Security Policy names this policy. */
const POLICY = 'mfe-leads#scripts';

/** As the page's Trusted Types want it. */
function trusted(url: string): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy(POLICY, {
    createScriptURL(asked) {
      if (asked !== MAKE_OFFER_SCRIPT) throw new TypeError(`${asked} is not the make-offer script`);
      return asked;
    },
  });
  return policy?.createScriptURL(url) ?? url;
}

function addScript(): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = trusted(MAKE_OFFER_SCRIPT);
    script.addEventListener('load', () => resolve(), { once: true });
    script.addEventListener(
      'error',
      () => {
        // A failed element is no use; the next attempt brings its own.
        script.remove();
        reject(new Error(`cannot load ${MAKE_OFFER_SCRIPT}`));
      },
      { once: true },
    );
    document.head.append(script);
  });
}

/**
 * Loads the make-offer script, once a page (A4-FLOW-08): the answer resolves
 * when its element is defined, rejects when it cannot be had, and a later call
 * tries anew.
 */
export function createMakeOfferLoader(): () => Promise<void> {
  let loading: Promise<void> | undefined;
  const load = async () => {
    if (customElements.get(MAKE_OFFER_ELEMENT)) return;
    await addScript();
    if (!customElements.get(MAKE_OFFER_ELEMENT))
      throw new Error(`${MAKE_OFFER_SCRIPT} defines no ${MAKE_OFFER_ELEMENT}`);
  };
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
}
