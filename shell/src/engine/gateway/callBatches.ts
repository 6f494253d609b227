import type { Readable } from 'node:stream';
import {
  batchPartSchema,
  type batchRequestSchema,
  BATCH_PATH_HEADER,
  MAX_BATCH_CALLS,
} from '@forecourt/upstream/batch';
import {
  type AxiosAdapter,
  AxiosError,
  AxiosHeaders,
  type AxiosResponse,
  type InternalAxiosRequestConfig,
} from 'axios';
import type { z } from 'zod';
import { isLostConnection } from './callFailure.ts';

type Head = z.infer<typeof batchPartSchema>;

/** A response that arrived as a part of a batch. */
type ReceivedPart = Omit<Head, 'bytes'> & { readonly body: string };

const LINE_END = 0x0a;
/** Bytes; a head has a few hundred. */
const MAX_HEAD = 16_384;
const EMPTY = Buffer.alloc(0);

/** Reads the parts of a batch: each is one line of JSON, followed by as many bytes of body as the line says. */
export class PartReader {
  #rest: Buffer = EMPTY;
  #head: Head | undefined;
  readonly #maxBytes: number;

  constructor(maxBytes = Infinity) {
    this.#maxBytes = maxBytes;
  }

  /** Throws for malformed batches and for parts above the size limit. */
  async *read(chunks: AsyncIterable<Buffer>): AsyncGenerator<ReceivedPart> {
    // A large body arrives in many chunks: they are joined once, when enough of them are there.
    const waiting: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of chunks) {
      waiting.push(chunk);
      bytes += chunk.length;
      if (this.#head && bytes < this.#head.bytes) continue;
      this.#rest = waiting.length === 1 ? chunk : Buffer.concat(waiting);
      yield* this.#parts();
      waiting.splice(0, waiting.length, this.#rest);
      bytes = this.#rest.length;
    }
  }

  *#parts(): Generator<ReceivedPart> {
    for (;;) {
      this.#head ??= this.#nextHead();
      if (!this.#head || this.#rest.length < this.#head.bytes) return;
      const { bytes, ...head } = this.#head;
      this.#head = undefined;
      const body = this.#rest.toString('utf8', 0, bytes);
      this.#rest = this.#rest.subarray(bytes);
      yield { ...head, body };
    }
  }

  #nextHead(): Head | undefined {
    const end = this.#rest.indexOf(LINE_END);
    if (end < 0) {
      if (this.#rest.length > MAX_HEAD) throw new Error('the batch is malformed');
      return undefined;
    }
    const head = batchPartSchema.parse(JSON.parse(this.#rest.toString('utf8', 0, end)));
    if (head.bytes > this.#maxBytes) throw new Error(`a response has more than ${this.#maxBytes} bytes`);
    this.#rest = this.#rest.subarray(end + 1);
    const headers = Object.entries(head.headers).map(([name, value]) => [name.toLowerCase(), value]);
    const length = head.status === 304 ? [] : [['content-length', String(head.bytes)]];
    return { ...head, headers: Object.fromEntries([...headers, ...length]) as Record<string, string> };
  }
}

/** The upstream makes a call only if its own count is high enough; otherwise its status is 412. */
export type Condition = NonNullable<z.infer<typeof batchRequestSchema>['calls'][number]['onlyIf']>;

declare module 'axios' {
  interface AxiosRequestConfig {
    onlyIf?: Condition | undefined;
  }
}

interface PendingCall {
  readonly config: InternalAxiosRequestConfig;
  readonly resolve: (response: AxiosResponse) => void;
  readonly reject: (error: Error) => void;
}

/** A path on the same host. */
const SAFE_PATH = /^\/(?!\/)[\w/-]*$/;
/** Statuses of an upstream that accepts no batches, or no longer. */
const UNSUPPORTED: ReadonlySet<number> = new Set([404, 405, 415, 501]);
/** Status of a call that the upstream accepts only as a request of its own (RFC 9110, 15.5.20). */
const MISDIRECTED = 421;
/** Status of a proxy whose upstream was lost before it responded. */
const BAD_GATEWAY = 502;
/** Headers that the whole batch has once. */
const SHARED_HEADERS: ReadonlySet<string> = new Set([
  'x-request-id',
  'accept',
  'accept-encoding',
  'traceparent',
  'tracestate',
]);
/** Of those, the ones that name the request and its trace. */
const REQUEST_HEADERS = ['X-Request-Id', 'traceparent', 'tracestate'];
const requestHeaders = ({ headers }: InternalAxiosRequestConfig): Record<string, string> =>
  Object.fromEntries(
    REQUEST_HEADERS.flatMap((name) => (headers.has(name) ? [[name, String(headers.get(name))]] : [])),
  );
/** The visitor's credentials: such a call is a request of its own. */
const CREDENTIALS = ['Authorization', 'x-id-token', 'X-Consumer-Id'];

const isBatchable = ({ method, headers }: InternalAxiosRequestConfig): boolean =>
  method === 'get' && !CREDENTIALS.some((name) => headers.has(name));

export const urlOf = ({ url = '', baseURL }: InternalAxiosRequestConfig): URL => new URL(url, baseURL);

const partOf = ({ config }: PendingCall) => {
  const { pathname, search } = urlOf(config);
  const headers = Object.entries(config.headers.toJSON())
    .filter(([, value]) => value != null)
    .map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  return {
    url: pathname + search,
    headers: Object.fromEntries(headers.filter(([name]) => !SHARED_HEADERS.has(name))),
    ...(config.onlyIf && { onlyIf: config.onlyIf }),
  };
};

/** Settles a call with the response that it got as a part of another one, as axios' own adapters do. */
function settle({ config, resolve, reject }: PendingCall, part: Omit<ReceivedPart, 'id'>): void {
  const { status, headers, body } = part;
  const response = { config, status, statusText: '', headers: new AxiosHeaders(headers), data: body };
  if (!config.validateStatus || config.validateStatus(status)) return resolve(response);
  const message = `Request failed with status code ${status}`;
  reject(new AxiosError(message, AxiosError.ERR_BAD_RESPONSE, config, undefined, response));
}

/** An axios adapter that sends the calls which one page makes at the same time as one request. */
export interface BatchingAdapter {
  readonly adapter: AxiosAdapter;
  /** Whether the upstream accepts batches, as far as known. */
  readonly isBatching: () => boolean;
}

/** Sends calls as one request and settles those that it responds to. Rejects when the response is no batch. */
async function receiveBatch(
  send: AxiosAdapter,
  path: string,
  calls: readonly PendingCall[],
  batch: OpenBatch,
): Promise<'received' | 'unsupported' | 'lost'> {
  const [{ config }] = calls as [PendingCall];
  try {
    const { status, data } = (await send({
      ...config,
      url: path,
      method: 'post',
      headers: new AxiosHeaders({
        ...requestHeaders(config),
        'Content-Type': 'application/json',
        'Accept-Encoding': 'identity',
      }),
      data: JSON.stringify({ calls: calls.map(partOf) }),
      responseType: 'stream',
      // Of each part instead.
      maxContentLength: -1,
      validateStatus: null,
      signal: batch.signal,
    })) as AxiosResponse<Readable>;
    if (status === 200) {
      for await (const part of new PartReader(config.maxContentLength).read(data)) batch.settle(part);
      batch.fail(new Error('the batch ended without this response'));
      return 'received';
    }
    data.resume();
    if (UNSUPPORTED.has(status)) return 'unsupported';
    if (status === BAD_GATEWAY) return 'lost';
    for (const id of calls.keys()) batch.settle({ id, status, headers: {}, body: '' });
    return 'received';
  } catch (error) {
    if (isLostConnection(error)) return 'lost';
    throw error;
  }
}

/**
 * Sends calls with the same request id that are made in the same turn of the event loop as one request, once the
 * upstream has advertised that it accepts batches. Each call settles when its own part arrives. Without batches
 * every call is a request of its own. `send`: the adapter of requests.
 */
export function createBatchingAdapter(send: AxiosAdapter): BatchingAdapter {
  let batchPath: string | undefined;
  const gathering = new Map<string, PendingCall[]>();

  async function sendAlone(config: InternalAxiosRequestConfig): Promise<AxiosResponse> {
    const response = await send(config);
    const advertised: unknown = (response.headers as Record<string, unknown>)[
      BATCH_PATH_HEADER.toLowerCase()
    ];
    if (typeof advertised === 'string' && SAFE_PATH.test(advertised)) batchPath = advertised;
    return response;
  }

  /** A conditional call is not sent without a batch: only the upstream can decide on it. */
  const resend = (call: PendingCall) => {
    const { config, resolve, reject } = call;
    if (config.onlyIf) settle(call, { status: 412, headers: {}, body: '' });
    else sendAlone(config).then(resolve, reject as (error: unknown) => void);
  };

  async function sendBatch(path: string, calls: readonly PendingCall[]): Promise<void> {
    const batch = new OpenBatch(calls, resend);
    const outcome = await receiveBatch(send, path, calls, batch);
    if (outcome === 'unsupported') batchPath = undefined;
    // What a lost replica had not sent, another may: the calls are reads.
    if (outcome !== 'received') calls.filter((call) => batch.isOpen(call)).forEach(resend);
  }

  const flush = (requestId: string): void => {
    const calls = gathering.get(requestId) ?? [];
    gathering.delete(requestId);
    const [first] = calls;
    if (!first) return;
    if (batchPath === undefined || (calls.length === 1 && !first.config.onlyIf)) calls.forEach(resend);
    else
      sendBatch(batchPath, calls).catch((error: unknown) => {
        for (const { reject } of calls) reject(error as Error);
      });
  };

  return {
    isBatching: () => batchPath !== undefined,
    adapter(config) {
      if (batchPath === undefined || !isBatchable(config)) return sendAlone(config);
      const { requestId = '' } = config;
      return new Promise((resolve, reject) => {
        const calls = gathering.get(requestId);
        const call = { config, resolve, reject };
        if (calls) calls.push(call);
        else {
          gathering.set(requestId, [call]);
          setImmediate(flush, requestId);
        }
        if (gathering.get(requestId)!.length === MAX_BATCH_CALLS) flush(requestId);
      });
    },
  };
}

/** The calls of a batch that have no response yet. Its connection is closed when they all were aborted. */
class OpenBatch {
  readonly #open = new Map<number, PendingCall>();
  readonly #closing = new AbortController();
  readonly #resend: (call: PendingCall) => void;

  constructor(calls: readonly PendingCall[], resend: (call: PendingCall) => void) {
    this.#resend = resend;
    for (const [id, call] of calls.entries()) {
      this.#open.set(id, call);
      const signal = call.config.signal as AbortSignal | undefined;
      if (signal?.aborted) this.#abort(id);
      signal?.addEventListener('abort', () => this.#abort(id), { once: true });
    }
  }

  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  isOpen(call: PendingCall): boolean {
    return this.#open.values().some((open) => open === call);
  }

  /** Status 0 stands for a closed connection. A response that nothing waits for has no effect. */
  settle({ id, ...part }: ReceivedPart): void {
    const call = this.#take(id);
    if (!call) return;
    if (part.status === 0) call.reject(new Error('the upstream closed the connection'));
    else if (part.status === MISDIRECTED) this.#resend(call);
    else settle(call, part);
  }

  fail(error: Error): void {
    for (const id of [...this.#open.keys()]) this.#take(id)?.reject(error);
  }

  #take(id: number): PendingCall | undefined {
    const call = this.#open.get(id);
    this.#open.delete(id);
    return call;
  }

  #abort(id: number): void {
    const call = this.#take(id);
    call?.reject(new Error('aborted'));
    if (call && this.#open.size === 0) this.#closing.abort();
  }
}
