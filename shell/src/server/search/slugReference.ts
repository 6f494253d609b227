import {
  createSlugReference,
  EMPTY_SLUG_REFERENCE,
  type SlugData,
  type SlugReference,
} from '@forecourt/shared-contracts/criteria';
import type { Gateway } from '../upstream/gateway.ts';

export type SlugReferenceKeeper = ReturnType<typeof keepSlugReference>;

/**
 * Makes, models and trims by slug, refreshed periodically. Paths with a make
 * cannot be parsed without it, so failures are retried soon.
 */
export function keepSlugReference(gateway: Gateway, options: { refreshMs?: number; retryMs?: number } = {}) {
  let reference = EMPTY_SLUG_REFERENCE;
  let data: SlugData = { makes: [] };
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  async function refresh(): Promise<void> {
    let delayMs = options.refreshMs ?? 300_000;
    try {
      data = await gateway.call('slugReference', {}, { requestId: 'slug-reference' });
      reference = createSlugReference(data);
    } catch {
      // The gateway has logged and counted it.
      delayMs = options.retryMs ?? 1_000;
    }
    if (isStopped) return;
    timer = setTimeout(() => void refresh(), delayMs);
    timer.unref();
  }
  return {
    current: (): SlugReference => reference,
    /** The same data as a list. */
    data: () => data,
    /** Resolves after the first attempt, whether it succeeded or not. */
    start: refresh,
    stop: (): void => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
