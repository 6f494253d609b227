import { type DestinationStream, type Logger, pino } from 'pino';
import type { Tracing } from './tracing.ts';

/**
 * Names of a line's first fields, in their order; others follow, `msg` is the last. All services write these: operators
 * read the lines of one request, or of one release, side by side. `infra/proofs/e2e/src/logs.e2e.ts` is the schema.
 */
const FIRST = [
  'requestId',
  'traceId',
  'release',
  'method',
  'route',
  'status',
  'ms',
  'calls',
  'code',
  'reason',
  'err',
];

/** The shell's log: JSON lines, with the trace of their request when requests are traced. */
export const createLog = (
  level: string,
  {
    tracing,
    destination,
  }: {
    readonly tracing?: Pick<Tracing, 'logFields'> | undefined;
    readonly destination?: DestinationStream;
  } = {},
): Logger =>
  pino(
    {
      level,
      base: { service: 'shell' },
      ...(tracing && { mixin: tracing.logFields }),
      formatters: {
        log: (fields) => ({
          ...Object.fromEntries(FIRST.filter((name) => name in fields).map((name) => [name, fields[name]])),
          ...Object.fromEntries(Object.entries(fields).filter(([name]) => !FIRST.includes(name))),
        }),
      },
    },
    ...(destination ? [destination] : []),
  );
