import { normalizeUrl } from '@forecourt/search/decode';
import {
  createSlugReference,
  EMPTY_SLUG_REFERENCE,
  hasPlace,
  type SlugData,
  type SlugReference,
  withoutParams,
} from '@forecourt/search/criteria';
import type { SessionState } from '@forecourt/search/state';
import { encodeUrl } from '@forecourt/search/url';
import type { Gateway } from '../../engine/gateway/gateway.ts';
import { createLruCache } from '@forecourt/service-kit/lruCache';

export type SlugReferenceKeeper = ReturnType<typeof keepSlugReference>;

/** ms for which unknown names in paths are not looked for again. */
const RENEW_MS = 5_000;

interface KeeperOptions {
  readonly refreshMs?: number;
  readonly retryMs?: number;
  readonly now?: () => number;
}

/**
 * Makes, models and trims by slug, refreshed periodically. Paths with a make
 * cannot be parsed without it, so failures are retried soon.
 */
export function keepSlugReference(gateway: Pick<Gateway, 'call'>, options: KeeperOptions = {}) {
  const { now = performance.now.bind(performance) } = options;
  let reference = EMPTY_SLUG_REFERENCE;
  let data: SlugData = { makes: [] };
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let loadedAt = -Infinity;
  let loading: Promise<boolean> | undefined;

  /** False after a failure, which the gateway has logged and counted. */
  async function load(): Promise<boolean> {
    loadedAt = now();
    try {
      data = await gateway.call('slugReference', {}, { requestId: 'slug-reference' });
      reference = createSlugReference(data);
      return true;
    } catch {
      return false;
    }
  }

  async function refresh(): Promise<void> {
    const isLoaded = await load();
    const delayMs = isLoaded ? (options.refreshMs ?? 300_000) : (options.retryMs ?? 1_000);
    if (isStopped) return;
    timer = setTimeout(() => void refresh(), delayMs);
    timer.unref();
  }
  return {
    current: (): SlugReference => reference,
    /** The same data as a list. */
    data: () => data,
    /** Looks for names that came with an import, at most once in some seconds; false if that was not done. */
    async renew(): Promise<boolean> {
      if (!loading && now() - loadedAt < RENEW_MS) return false;
      loading ??= load().finally(() => (loading = undefined));
      return await loading;
    },
    /** Resolves after the first attempt, whether it succeeded or not. */
    start: refresh,
    stop: (): void => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/**
 * The gateway with the makes and models that the shell parses URLs with, so that links of a page never depend on a call
 * that may be late.
 */
export const withSlugReference = (gateway: Gateway, { data }: Pick<SlugReferenceKeeper, 'data'>): Gateway => {
  const request: Gateway['request'] = (name, params, context) => {
    const slugs = data();
    return name === 'slugReference' && slugs.makes.length > 0
      ? Promise.resolve({ data: slugs, source: 'current' } as never)
      : gateway.request(name, params, context);
  };
  return { request, call: async (name, params, context) => (await request(name, params, context)).data };
};

const MAX_PARSED_URLS = 500;
/** Longer URLs are rare, and would take memory. */
const MAX_PARSED_LENGTH = 500;

type Parsed = ReturnType<typeof normalizeUrl> & {
  /** The URL means something else to visitors with a ZIP. */
  readonly dependsOnVisitor?: true;
};

/** Ranges whose bounds a form or an edited URL may have reversed; the upstream refuses those. */
const RANGES = [
  ['startYear', 'endYear'],
  ['minPrice', 'maxPrice'],
] as const;

/** A search with reversed bounds redirects to the one with its bounds in order. */
function inOrder(parsed: Parsed, makes: SlugReference): Parsed {
  if (parsed.kind !== 'search') return parsed;
  let { filters } = parsed.criteria;
  for (const [low, high] of RANGES) {
    const { [low]: start, [high]: end } = filters;
    if (start && end && Number(start[0]) > Number(end[0]))
      filters = { ...filters, [low]: end, [high]: start };
  }
  if (filters === parsed.criteria.filters) return parsed;
  const criteria = { ...parsed.criteria, filters };
  return { ...parsed, criteria, canonicalUrl: encodeUrl(criteria, makes), needsRedirect: true };
}

/**
 * The search without a radius that has no center: neither a place of the URL nor the visitor's ZIP (AMB-199). Its URL has
 * none either.
 */
export function withoutIdleRadius(
  parsed: Parsed,
  { visitorZip }: Pick<SessionState, 'visitorZip'>,
  makes: SlugReference,
): Parsed {
  if (parsed.kind !== 'search' || visitorZip !== null) return parsed;
  const { filters } = parsed.criteria;
  if (!filters.searchRadius || hasPlace(filters)) return parsed;
  const criteria = { ...parsed.criteria, filters: withoutParams(filters, ['searchRadius']) };
  const canonicalUrl = encodeUrl(criteria, makes);
  return { ...parsed, criteria, canonicalUrl, needsRedirect: true, dependsOnVisitor: true };
}

/** Parses URLs of searches; the result for a popular URL is remembered while the makes and models stay the same. */
export function createUrlParser(reference: Pick<SlugReferenceKeeper, 'current'>) {
  const recent = createLruCache<{ readonly makes: object; readonly parsed: Parsed }>({
    maxEntries: MAX_PARSED_URLS,
  });
  return (url: string, session: Pick<SessionState, 'brand' | 'visitorZip'>): Parsed => {
    const { brand } = session;
    const makes = reference.current();
    const key = `${brand} ${url}`;
    const known = recent.get(key);
    if (known?.makes === makes) return withoutIdleRadius(known.parsed, session, makes);
    const parsed = inOrder(normalizeUrl(url, makes, { brand }), makes);
    if (url.length <= MAX_PARSED_LENGTH) recent.set(key, { makes, parsed });
    return withoutIdleRadius(parsed, session, makes);
  };
}
