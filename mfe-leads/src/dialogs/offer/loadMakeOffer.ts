import { MAKE_OFFER_SCRIPT, trustedScript } from '../../trustedScripts.ts';

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

/** Loads the make-offer script once per page (A4-FLOW-08). A failed load rejects; the next call retries. */
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
