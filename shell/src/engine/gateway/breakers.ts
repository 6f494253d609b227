import { setTimeout as wait } from 'node:timers/promises';
import type { CallName } from '@forecourt/slots/calls';
import type { CallDefinition } from '@forecourt/upstream/callDefinition';
import {
  type CircuitBreakerPolicy,
  CircuitState,
  TimeoutStrategy,
  circuitBreaker,
  handleWhen,
  type IBreaker,
  type IPolicy,
  noop,
  retry,
  timeout,
  wrap,
} from 'cockatiel';
import { CallFailure, isLostConnection, toFailure } from './callFailure.ts';

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

/** Cancelled and refused calls do not count against the upstream's health. */
const countsAsFailure = (error: unknown): boolean =>
  !(
    error instanceof CallFailure &&
    (error.code === 'CANCELLED' || (error.status !== undefined && error.status >= 400 && error.status < 500))
  );

/** Rejects with CallFailure, by which the breaker tells a failing upstream from a client that disconnected. */
const classifyErrors = (name: string): IPolicy => ({
  ...noop,
  async execute(run, signal) {
    const startedAt = performance.now();
    try {
      return await run({ signal: signal ?? new AbortController().signal });
    } catch (error) {
      throw toFailure(name, error, signal, performance.now() - startedAt);
    }
  },
});

/** Completed calls are not aborted. */
const TIMEOUT_OPTIONS = { strategy: TimeoutStrategy.Aggressive, abortOnReturn: false };

export interface CallPolicy {
  readonly breaker: CircuitBreakerPolicy;
  /** Limits the time of a call. A read whose connection is lost is repeated once: the next one may lead to another replica. */
  readonly attempt: IPolicy;
  /** The attempt, unless the breaker is open. */
  readonly guarded: IPolicy;
}

/** The policies of one call of the table. */
export function createCallPolicy(
  name: string,
  { method, timeoutMs, resetMs }: Pick<CallDefinition, 'method' | 'timeoutMs' | 'resetMs'>,
): CallPolicy {
  const breaker = circuitBreaker(handleWhen(countsAsFailure), {
    halfOpenAfter: resetMs,
    breaker: new FailureWindow(),
  });
  const repeatIfLost = method === 'GET' ? retry(handleWhen(isLostConnection), { maxAttempts: 1 }) : noop;
  const attempt = wrap(classifyErrors(name), timeout(timeoutMs, TIMEOUT_OPTIONS), repeatIfLost);
  return { breaker, attempt, guarded: wrap(breaker, attempt) };
}

export const isOpen = ({ breaker }: CallPolicy): boolean => breaker.state === CircuitState.Open;
export const isClosed = ({ breaker }: CallPolicy): boolean => breaker.state === CircuitState.Closed;
export const isOnTrial = ({ breaker }: CallPolicy): boolean => breaker.state === CircuitState.HalfOpen;

/** Pause before the first probe; it doubles with each further one. ms */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

interface ProbedCall {
  /** Sends the call without credentials; rejects when it fails. */
  readonly send: () => Promise<unknown>;
  /** False once a trial call or another probe has closed the breaker. */
  readonly isStillOpen: () => boolean;
  readonly close: () => void;
}

/**
 * Whether the upstream failed at once and can be probed. One that hangs is not:
 * each probe would add to its load for seconds, so it has its whole reset.
 */
export const isProbeworthy = (error: unknown): boolean =>
  error instanceof CallFailure && ['UNREACHABLE', 'UPSTREAM_ERROR', 'INVALID_RESPONSE'].includes(error.code);

/**
 * Probes upstreams behind open breakers, so that pages are back soon after a short
 * outage: breakers stay open for 30 to 300 s. A refusal (4xx)
 * shows that the upstream works.
 */
export function createProbes() {
  const probed = new Set<CallName>();
  const isUp = ({ send }: ProbedCall) =>
    send().then(
      () => true,
      (error: unknown) => !countsAsFailure(error),
    );
  return {
    /** Probes until the breaker is closed. No-op while this call is being probed. */
    async start(name: CallName, call: ProbedCall): Promise<void> {
      if (probed.has(name)) return;
      probed.add(name);
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
        await wait(pauseMs, undefined, { ref: false });
        const isOpen = call.isStillOpen();
        if (isOpen && !(await isUp(call))) continue;
        probed.delete(name);
        return isOpen ? call.close() : undefined;
      }
    },
  };
}
