import { normalizeUrl } from '@forecourt/shared-contracts/url';
import { createLruCache } from '../bounds/lruCache.ts';
import type { SessionState } from '@forecourt/shared-contracts/store';
import type { SlugReferenceKeeper } from './slugReference.ts';

const MAX_PARSED_URLS = 500;
/** Longer URLs are rare, and would take memory. */
const MAX_PARSED_LENGTH = 500;

/** Parses URLs of searches; the result for a popular URL is remembered while the makes and models stay the same. */
export function createUrlParser(reference: Pick<SlugReferenceKeeper, 'current'>) {
  type Parsed = ReturnType<typeof normalizeUrl>;
  const recent = createLruCache<{ readonly makes: object; readonly parsed: Parsed }>({
    maxEntries: MAX_PARSED_URLS,
  });
  return (url: string, { brand }: Pick<SessionState, 'brand'>): Parsed => {
    const makes = reference.current();
    const key = `${brand} ${url}`;
    const known = recent.get(key);
    if (known?.makes === makes) return known.parsed;
    const parsed = normalizeUrl(url, makes, { brand });
    if (url.length <= MAX_PARSED_LENGTH) recent.set(key, { makes, parsed });
    return parsed;
  };
}
