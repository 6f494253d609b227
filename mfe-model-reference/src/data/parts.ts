/** ms; later parts are left out of the server's page, so that they don't make the whole slot miss its deadline. */
const SERVER_MS = 600;

/** Waits for the parts of one load. */
export interface Parts {
  /** The response, or `fallback` when the call fails or is late; the gateway logs why. */
  readonly orElse: <T, E>(response: Promise<T>, fallback: E) => Promise<T | E>;
  /** True if a late part was left out. */
  readonly isPartial: () => boolean;
}

/** On the server, all parts share one deadline; the browser waits for the calls' own timeouts (AMB-185, AMB-192). */
export function collectParts(): Parts {
  const deadline = typeof document === 'undefined' ? performance.now() + SERVER_MS : undefined;
  let isPartial = false;
  return {
    isPartial: () => isPartial,
    async orElse(response, fallback) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const timeout = new Promise<typeof fallback>((resolve) => {
        if (deadline === undefined) return;
        timer = setTimeout(() => {
          isPartial = true;
          resolve(fallback);
        }, deadline - performance.now());
      });
      try {
        return await Promise.race([response, timeout]);
      } catch {
        return fallback;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
