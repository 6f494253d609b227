/**
 * ms after the load began: what comes later is left out of the server's page, so that it does not take the rest with
 * it at the slot's deadline.
 */
const SERVER_MS = 600;

/** How the parts of one load are waited for. */
export interface Parts {
  /** The answer, or `instead` when the call fails or is late; the gateway has logged why. */
  readonly orElse: <T, E>(answer: Promise<T>, instead: E) => Promise<T | E>;
  /** Has a part been left out because it was late? */
  readonly isPartial: () => boolean;
}

/** On the server one deadline for all parts; a browser waits as long as the calls may take (AMB-185, AMB-192). */
export function collectParts(): Parts {
  const deadline = typeof document === 'undefined' ? performance.now() + SERVER_MS : undefined;
  let isPartial = false;
  return {
    isPartial: () => isPartial,
    async orElse(answer, instead) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<typeof instead>((resolve) => {
        if (deadline === undefined) return;
        timer = setTimeout(() => {
          isPartial = true;
          resolve(instead);
        }, deadline - performance.now());
      });
      try {
        return await Promise.race([answer, late]);
      } catch {
        return instead;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
