import { type DestinationStream, pino } from 'pino';

/**
 * Fields that may be logged, in the order of a line; `level`, `time` and `service` come before them, `msg` after them.
 * Others are dropped, so that a new call can't log what a visitor entered by accident; the type `Logger` refuses them. No field here may ever hold an
 * address, a name, a token or a text of a person. `infra/proofs/e2e/src/logs.e2e.ts` is the schema of all lines.
 */
const FIELDS = [
  'requestId',
  'traceId',
  // 'mfe-results@1.4.0'
  'release',
  // Requests: the route's pattern, never the URL.
  'method',
  'route',
  'status',
  'ms',
  'calls',
  // Errors. `message` and `problem` are sentences of this system.
  'code',
  'reason',
  'err',
  'message',
  'problem',
  // What happened, for machines.
  'event',
  // Pages: their path without the query, the slot and the upstream call.
  'page',
  'pageRequestId',
  'slot',
  'call',
  'violation',
  // Jobs and queues, by ids of this system.
  'job',
  'done',
  'failed',
  'mail',
  'attempts',
  'alert',
  'device',
  'removed',
  'changed',
  // Imports: the feed's name, what an operator did with it, and the importer's exit status.
  'feed',
  'change',
  'exitStatus',
  // Releases; `by` is the name of a credential.
  'releases',
  'remote',
  'pointer',
  'revision',
  'key',
  'credential',
  'by',
  'isAccepted',
  'refusals',
  'renders',
  'override',
  // Isolation and load.
  'sandbox',
  'notes',
  'refused',
  'loadLevel',
  'previous',
  // Operation.
  'listings',
  'startMs',
  'address',
  'host',
  'port',
  'issuer',
  'clientId',
  'storage',
  'dataDir',
  'signal',
] as const;
type Field = (typeof FIELDS)[number];

/** Writes a line. A field that is not on the list has no type, so that it can't vanish. */
interface Write {
  (message: string): void;
  <F extends object>(
    fields: F & { readonly [Unknown in Exclude<keyof F, Field>]: never },
    message: string,
  ): void;
}

/** The log of a process. */
export type Logger = Readonly<Record<'debug' | 'info' | 'warn' | 'error' | 'fatal', Write>>;

/** What an error may say: its kind and where it was thrown. Messages of others' code quote what they were given. */
export function errorFields(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, responseCode, command, status } = error as {
    code?: unknown;
    responseCode?: unknown;
    command?: unknown;
    status?: unknown;
  };
  const word = (value: unknown) =>
    typeof value === 'number' || (typeof value === 'string' && /^[\w .:-]{1,40}$/.test(value))
      ? value
      : undefined;
  return {
    type: error.name,
    code: word(code),
    responseCode: word(responseCode),
    command: word(command),
    status: word(status),
    stack: framesOf(error),
    ...(error.cause !== undefined && { cause: errorFields(error.cause) }),
  };
}

const FRAME = /^\s+at .+/;

/** The frames of a stack without the message in front of them, which may be of several lines. */
const framesOf = ({ stack = '' }: Error): string =>
  stack
    .split('\n')
    .filter((line) => FRAME.test(line))
    .slice(0, 20)
    .join('\n');

interface LogOptions {
  readonly level: string;
  /** Adds the trace of a line's request. */
  readonly tracing?: { readonly logFields: (line: { readonly requestId?: unknown }) => object } | undefined;
  readonly destination?: DestinationStream;
}

/** The log of a process: JSON lines with the allowed fields, in their order. */
export const createLog = (service: string, { level, tracing, destination }: LogOptions): Logger =>
  pino(
    {
      level,
      base: { service },
      ...(tracing && { mixin: tracing.logFields }),
      serializers: { err: errorFields },
      formatters: {
        log: (fields) =>
          Object.fromEntries(FIELDS.filter((name) => name in fields).map((name) => [name, fields[name]])),
      },
    },
    ...(destination ? [destination] : []),
  );
