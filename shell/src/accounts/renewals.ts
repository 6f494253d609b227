import { createHash } from 'node:crypto';
import type { Issuer, SignedIn } from './issuer.ts';

/** ms for which the answer to a refresh token serves requests that still carry the old one. */
const KEEP_MS = 30_000;
const MAX_KEPT = 10_000;

/**
 * Renews tokens once for all requests that carry the same refresh token: a page
 * makes several calls at once, and an issuer that rotates its tokens takes the
 * second use of one for theft. Rejects as `issuer.renew` does; failures are not kept.
 */
export function createRenewals(
  issuer: Pick<Issuer, 'renew'>,
  now: () => number = Date.now,
): (refreshToken: string) => Promise<SignedIn> {
  const kept = new Map<string, { readonly answer: Promise<SignedIn>; readonly until: number }>();
  return (refreshToken) => {
    const key = createHash('sha256').update(refreshToken).digest('base64');
    const known = kept.get(key);
    if (known && known.until > now()) return known.answer;
    const answer = issuer.renew(refreshToken);
    kept.delete(key);
    kept.set(key, { answer, until: now() + KEEP_MS });
    answer.catch(() => kept.delete(key));
    for (const [oldest, { until }] of kept) {
      // In order of their age: the first that is young ends the search.
      if (until > now() && kept.size <= MAX_KEPT) break;
      kept.delete(oldest);
    }
    return answer;
  };
}
