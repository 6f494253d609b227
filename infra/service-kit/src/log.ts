import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DestinationStream, type Logger, pino } from 'pino';
import { type HttpLogger, pinoHttp } from 'pino-http';
import type { Tracing } from './tracing.ts';

/**
 * Fields that may be logged, in the order of a line; `level`, `time` and `service` come before them, `msg` after them.
 * Others are dropped, so that a new call can't log what a visitor entered by accident. No field here may ever hold an
 * address, a name, a token or a text of a person. `infra/proofs/e2e/src/logs.e2e.ts` is the schema of all services' lines.
 */
const FIELDS: readonly string[] = [
  'requestId',
  'traceId',
  'release',
  // Requests: the route's pattern, never the URL.
  'method',
  'route',
  'status',
  'ms',
  'calls',
  // Errors.
  'code',
  'reason',
  'err',
  // Jobs and queues, by ids of this system.
  'job',
  'done',
  'mail',
  'attempts',
  'alert',
  'device',
  'removed',
  'changed',
  // Releases; `by` is the name of a credential.
  'releases',
  'remote',
  'pointer',
  'revision',
  'key',
  'credential',
  'by',
  // Operation.
  'listings',
  'startMs',
  'address',
  'issuer',
  'storage',
  'dataDir',
  'signal',
];

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

/** A service's log: JSON lines with the allowed fields, in their order. */
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
        log: (fields) =>
          Object.fromEntries(FIELDS.filter((name) => name in fields).map((name) => [name, fields[name]])),
      },
    },
    ...(destination ? [destination] : []),
  );

/** Request ids that are safe in logs and headers. */
const SAFE_ID = /^[\w.:-]{1,128}$/;
const UNLOGGED = /^\/(?:health|metrics)/;

interface Routed extends IncomingMessage {
  readonly route?: { readonly path?: unknown };
}
interface Answer extends ServerResponse {
  readonly locals?: { readonly calls?: readonly object[] };
}

const describe = ({ method, route }: Routed, { statusCode: status, locals }: Answer, ms: number): object => ({
  method,
  route: typeof route?.path === 'string' ? route.path : 'none',
  status,
  ms,
  ...(locals?.calls && { calls: locals.calls }),
});

/**
 * Logs each request as one line, by its route: URLs hold tokens of links, addresses and searches. Uses the caller's
 * X-Request-Id or a new id, and returns it; `request.log` writes it too. `success` is the level of requests without errors.
 */
export const requestLog = (
  logger: Logger,
  {
    success = 'info',
    traceIdOf,
  }: { readonly success?: 'info' | 'debug'; readonly traceIdOf?: Tracing['traceIdOf'] } = {},
): HttpLogger =>
  pinoHttp({
    logger,
    genReqId(request, response) {
      const header = request.headers['x-request-id'];
      const id = typeof header === 'string' && SAFE_ID.test(header) ? header : randomUUID();
      response.setHeader('X-Request-Id', id);
      return id;
    },
    ...(traceIdOf && {
      customProps(request) {
        const traceId = traceIdOf(request);
        return traceId === undefined ? {} : { traceId };
      },
    }),
    quietReqLogger: true,
    quietResLogger: true,
    wrapSerializers: false,
    serializers: { err: errorFields },
    customAttributeKeys: { reqId: 'requestId', responseTime: 'ms' },
    customSuccessObject: (request, response, { ms }: { ms: number }) => describe(request, response, ms),
    customErrorObject: (request, response, error, { ms }: { ms: number }) => ({
      ...describe(request, response, ms),
      err: error,
    }),
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request failed',
    customLogLevel: (_, { statusCode }, error) =>
      error || statusCode >= 500 ? 'error' : statusCode >= 400 ? 'warn' : success,
    autoLogging: { ignore: ({ url }) => UNLOGGED.test(url ?? '') },
  });
