import { Counter, type Registry } from 'prom-client';
import type { Logger } from 'pino';

/** Something that somebody has to look at. */
export interface Report {
  /** Stable; the troubleshooting page lists it. */
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
}

/** Sends one report to monitoring: an error in the log, and a counter to raise an alarm by. */
export type Reporter = (report: Report) => void;

export function createReporter(logger: Logger, metrics: Registry): Reporter {
  const counter = new Counter({
    name: 'forecourt_reports_total',
    help: 'Failures reported to monitoring, by code',
    labelNames: ['code'],
    registers: [metrics],
  });
  return ({ code, message, requestId }) => {
    counter.inc({ code });
    logger.error({ code, requestId, problem: message }, 'reported');
  };
}
