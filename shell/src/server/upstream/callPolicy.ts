import type { CallDefinition } from '@forecourt/shared-contracts/calls';
import {
  circuitBreaker,
  CircuitState,
  handleWhen,
  SamplingBreaker,
  timeout,
  TimeoutStrategy,
  type CircuitBreakerPolicy,
  type TimeoutPolicy,
} from 'cockatiel';
import { CallFailure } from './callFailure.ts';
import { BREAKER_OPENS } from './breakerLimits.ts';

/** A visitor who left or asked for nonsense says nothing about the upstream's health. */
const countsAsFailure = (error: unknown): boolean =>
  !(
    error instanceof CallFailure &&
    (error.code === 'CANCELLED' || (error.status !== undefined && error.status >= 400 && error.status < 500))
  );

/** cockatiel opens above its threshold, the table says from the share on (AMB-168). */
const JUST_BELOW = 1e-6;

/** There is nothing left to abort when a call has ended. */
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
