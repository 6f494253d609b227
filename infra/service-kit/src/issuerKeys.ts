import { setTimeout as wait } from 'node:timers/promises';
import { createRemoteJWKSet, customFetch, type FetchImplementation, type JWTVerifyGetKey } from 'jose';

/** ms after which the keys are requested again. A key that the issuer has removed counts for so long at most. */
const CHECK_MS = 60_000;
/** ms that a token waits for it: the last keys count while the issuer is slow or away. */
const CHECK_WAIT_MS = 400;
/** ms for which they do. */
const MAX_AGE_MS = 600_000;
/**
 * ms between two requests because of tokens with unknown keys. An issuer signs with a new key from the moment that it
 * rotates its keys; strangers can make up names of keys.
 */
const COOLDOWN_MS = 2_000;

/** The keys that an issuer publishes at `url`, for `jwtVerify`. They follow its rotations. */
export function createIssuerKeys(
  url: URL,
  { request, timeoutMs }: { readonly request: FetchImplementation; readonly timeoutMs: number },
): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(url, {
    timeoutDuration: timeoutMs,
    cacheMaxAge: MAX_AGE_MS,
    cooldownDuration: COOLDOWN_MS,
    [customFetch]: request,
  });
  let checkedAt = 0;
  return async (...token) => {
    const now = Date.now();
    if (now - checkedAt > CHECK_MS) {
      checkedAt = now;
      // Without any keys yet, the token itself fails for this reason.
      const checked = keys.reload().catch(() => {});
      await Promise.race([checked, wait(CHECK_WAIT_MS, undefined, { ref: false })]);
    }
    return keys(...token);
  };
}
