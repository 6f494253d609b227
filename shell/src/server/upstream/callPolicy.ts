import type { CallDefinition, CallResponses } from '@forecourt/shared-contracts/calls';
import {
  type CircuitBreakerPolicy,
  CircuitState,
  SamplingBreaker,
  type TimeoutPolicy,
  TimeoutStrategy,
  circuitBreaker,
  handleWhen,
  timeout,
} from 'cockatiel';
import { CallFailure } from './callFailure.ts';

/** A breaker opens at this share of failures among at least `minimumCalls` within `windowMs` (AMB-168). */
const BREAKER_OPENS = { failureShare: 0.5, minimumCalls: 5, windowMs: 10_000 } as const;

export type ZipLookup = CallResponses['zipLookup'];

/** Cancelled and refused calls do not count against the upstream's health. */
const countsAsFailure = (error: unknown): boolean =>
  !(
    error instanceof CallFailure &&
    (error.code === 'CANCELLED' || (error.status !== undefined && error.status >= 400 && error.status < 500))
  );

/** cockatiel opens above its threshold, but the breaker must open at it (AMB-168). */
const JUST_BELOW = 1e-6;

/** Completed calls are not aborted. */
const LIMIT_OPTIONS = { strategy: TimeoutStrategy.Aggressive, abortOnReturn: false };

export interface CallPolicy {
  readonly breaker: CircuitBreakerPolicy;
  readonly limit: TimeoutPolicy;
}

/** Timeout and breaker of one call of the table. */
export function createCallPolicy(definition: Pick<CallDefinition, 'timeoutMs' | 'resetMs'>): CallPolicy {
  const breaker = circuitBreaker(handleWhen(countsAsFailure), {
    halfOpenAfter: definition.resetMs,
    breaker: new SamplingBreaker({
      threshold: BREAKER_OPENS.failureShare - JUST_BELOW,
      duration: BREAKER_OPENS.windowMs,
      minimumRps: BREAKER_OPENS.minimumCalls / (BREAKER_OPENS.windowMs / 1000),
    }),
  });
  return { breaker, limit: timeout(definition.timeoutMs, LIMIT_OPTIONS) };
}

export const isClosed = ({ breaker }: CallPolicy): boolean => breaker.state === CircuitState.Closed;
export const isOnTrial = ({ breaker }: CallPolicy): boolean => breaker.state === CircuitState.HalfOpen;
