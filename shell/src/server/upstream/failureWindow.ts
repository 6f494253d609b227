import { CircuitState, type IBreaker } from 'cockatiel';

/** A breaker opens at this share of failures among at least `minimumCalls` within `windowMs` (AMB-168). */
const OPENS_AT = { failureShare: 0.5, minimumCalls: 5, windowMs: 10_000 } as const;

const SLICES = 20;
const SLICE_MS = OPENS_AT.windowMs / SLICES;

interface Slice {
  /** Number of slices since the epoch. */
  readonly at: number;
  calls: number;
  failures: number;
}

/**
 * Counts the calls of the last ten seconds. cockatiel's SamplingBreaker drops one
 * of its slices per call, so that with sparse traffic failures of the last minutes
 * count as recent.
 */
export class FailureWindow implements IBreaker {
  /** Oldest first; at most one per slice of the window. */
  #slices: Slice[] = [];

  get state(): unknown {
    return this.#slices.map((slice) => ({ ...slice }));
  }

  set state(slices: unknown) {
    this.#slices = structuredClone(slices) as Slice[];
  }

  success(state: CircuitState): void {
    if (state === CircuitState.HalfOpen) this.#slices = [];
    this.#count(false);
  }

  failure(state: CircuitState): boolean {
    this.#count(true);
    if (state !== CircuitState.Closed) return true;
    const calls = this.#slices.reduce((sum, slice) => sum + slice.calls, 0);
    const failures = this.#slices.reduce((sum, slice) => sum + slice.failures, 0);
    return calls >= OPENS_AT.minimumCalls && failures >= calls * OPENS_AT.failureShare;
  }

  #count(hasFailed: boolean): void {
    const at = Math.floor(Date.now() / SLICE_MS);
    // Slices of the future: the system's clock was set back.
    this.#slices = this.#slices.filter((slice) => slice.at > at - SLICES && slice.at <= at);
    const last = this.#slices.at(-1);
    const slice = last?.at === at ? last : { at, calls: 0, failures: 0 };
    if (slice !== last) this.#slices.push(slice);
    slice.calls += 1;
    if (hasFailed) slice.failures += 1;
  }
}
