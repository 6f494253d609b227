import { setTimeout as wait } from 'node:timers/promises';
import type { CallName } from '@forecourt/shared-contracts/calls';
import { CallFailure } from './callFailure.ts';
import { countsAsFailure } from './callPolicy.ts';

/** Pause before the first probe; it doubles with each further one. ms */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

export interface ProbedCall {
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
  error instanceof CallFailure && ['UNREACHABLE', 'UPSTREAM_ERROR', 'INVALID_ANSWER'].includes(error.code);

/**
 * Probes upstreams behind open breakers, so that pages are back soon after a short
 * outage: breakers stay open for 30 to 300 s (B9-BREAKER-01..06). A refusal (4xx)
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
