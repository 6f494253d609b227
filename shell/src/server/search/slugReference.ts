import {
  createSlugReference,
  EMPTY_SLUG_REFERENCE,
  type SlugData,
  type SlugReference,
} from '@forecourt/shared-contracts/criteria';
import type { Gateway } from '../upstream/gateway.ts';

export interface SlugReferenceKeeper {
  readonly current: () => SlugReference;
  /** The same as a list. */
  readonly data: () => SlugData;
  /** Resolves when the first reference is here or its first attempt failed. */
  readonly start: () => Promise<void>;
  readonly stop: () => void;
}

/**
 * Makes, models and trims by slug, refreshed now and then. Without it a path
 * with a make can be neither read nor refused, so it is asked for again soon.
 */
export function keepSlugReference(
  gateway: Gateway,
  options: { refreshMs?: number; retryMs?: number } = {},
): SlugReferenceKeeper {
  let reference = EMPTY_SLUG_REFERENCE;
  let data: SlugData = { makes: [] };
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  async function refresh(): Promise<void> {
    let wait = options.refreshMs ?? 300_000;
    try {
      data = await gateway.call('slugReference', {}, { requestId: 'slug-reference' });
      reference = createSlugReference(data);
    } catch {
      // The gateway has logged and counted it.
      wait = options.retryMs ?? 1_000;
    }
    if (stopped) return;
    timer = setTimeout(() => void refresh(), wait);
    timer.unref();
  }
  return {
    current: () => reference,
    data: () => data,
    start: refresh,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
