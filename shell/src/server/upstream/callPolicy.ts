import type { CallDefinition, CallResponses } from '@forecourt/shared-contracts/calls';
import {
  type CircuitBreakerPolicy,
  CircuitState,
  type TimeoutPolicy,
  TimeoutStrategy,
  circuitBreaker,
  handleWhen,
  timeout,
} from 'cockatiel';
import { CallFailure } from './callFailure.ts';
import { FailureWindow } from './failureWindow.ts';

export type ZipLookup = CallResponses['zipLookup'];

/** Cancelled and refused calls do not count against the upstream's health. */
export const countsAsFailure = (error: unknown): boolean =>
  !(
    error instanceof CallFailure &&
    (error.code === 'CANCELLED' || (error.status !== undefined && error.status >= 400 && error.status < 500))
  );

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
    breaker: new FailureWindow(),
  });
  return { breaker, limit: timeout(definition.timeoutMs, LIMIT_OPTIONS) };
}

export const isOpen = ({ breaker }: CallPolicy): boolean => breaker.state === CircuitState.Open;
export const isClosed = ({ breaker }: CallPolicy): boolean => breaker.state === CircuitState.Closed;
export const isOnTrial = ({ breaker }: CallPolicy): boolean => breaker.state === CircuitState.HalfOpen;
