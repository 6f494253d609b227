import { type DestinationStream, type Logger, pino } from 'pino';

/**
 * Fields that may be logged. Others are dropped, so that a new call can't log what a visitor entered by accident. No field
 * here may ever hold an address, a name, a token or a text of a person.
 */
const FIELDS: ReadonlySet<string> = new Set([
  // Requests: the route's pattern, never the URL.
  'req',
  'route',
  'status',
  'ms',
  'calls',
  // Errors.
  'err',
  'code',
  'reason',
  // Jobs and queues, by ids of this system.
  'job',
  'done',
  'mail',
  'attempts',
  'alert',
  'device',
  'removed',
  'changed',
  // Operation.
  'listings',
  'startMs',
  'address',
  'issuer',
  'signal',
]);

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

/** A service's log: JSON lines with the allowed fields. */
export const createLog = (
  service: string,
  { level, destination }: { readonly level: string; readonly destination?: DestinationStream },
): Logger =>
  pino(
    {
      level,
      base: { service },
      serializers: { err: errorFields },
      formatters: {
        log: (fields) => Object.fromEntries(Object.entries(fields).filter(([name]) => FIELDS.has(name))),
      },
    },
    ...(destination ? [destination] : []),
  );
