import {
  BrokenCircuitError,
  circuitBreaker,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleWhen,
  noJitterGenerator,
} from 'cockatiel';
import type { LoadedRelease } from './release.ts';
import { RenderFailure } from './slotRenderer.ts';

/** Renders in a row that kept their pages waiting without a result. */
const MAX_WAITS = 5;
/** Until one page waits for the slot again; doubles with each that waits in vain; ms. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;

/** A slot that throws, or whose HTML is refused, has not kept its page waiting. What waited for the machine may be in time next. */
const keptWaiting = (error: unknown): boolean =>
  error instanceof RenderFailure &&
  (error.code === 'DEADLINE' || error.code === 'DIED') &&
  !error.isOfMachine;

export interface SlotBreakers {
  /** Runs `render`; rejects with PAUSED at once while the slot of this release keeps pages waiting in vain. */
  readonly run: <T>(release: LoadedRelease, slot: string, render: () => Promise<T>) => Promise<T>;
}

/**
 * A circuit breaker for each slot of each release. The end of a page waits for its slowest slot: when one is never in time, all
 * pages would take as long as its deadline.
 */
export function createSlotBreakers(): SlotBreakers {
  // By object: a development build replaces a release under the same id.
  const releases = new WeakMap<LoadedRelease, Map<string, CircuitBreakerPolicy>>();
  const breakerOf = (release: LoadedRelease, slot: string): CircuitBreakerPolicy => {
    const slots = releases.get(release) ?? new Map<string, CircuitBreakerPolicy>();
    releases.set(release, slots);
    const breaker =
      slots.get(slot) ??
      circuitBreaker(handleWhen(keptWaiting), {
        halfOpenAfter: new ExponentialBackoff({
          initialDelay: FIRST_PAUSE_MS,
          maxDelay: LONGEST_PAUSE_MS,
          generator: noJitterGenerator,
        }),
        breaker: new ConsecutiveBreaker(MAX_WAITS),
      });
    slots.set(slot, breaker);
    return breaker;
  };
  return {
    async run(release, slot, render) {
      const breaker = breakerOf(release, slot);
      const paused = () =>
        new RenderFailure('PAUSED', `${slot} of ${release.id} was late ${MAX_WAITS} times in a row`);
      // One page tries; cockatiel would let the others wait for it.
      if (breaker.state === CircuitState.HalfOpen) throw paused();
      try {
        return await breaker.execute(render);
      } catch (error) {
        throw error instanceof BrokenCircuitError ? paused() : error;
      }
    },
  };
}
