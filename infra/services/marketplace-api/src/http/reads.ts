import type { Step } from '@forecourt/service-kit/tracing';
import { type Request, type Response, Router } from 'express';
import { ApiError } from './middleware.ts';

/** What a read gets of its request. */
export interface ReadRequest {
  readonly query: URLSearchParams;
  /** Decoded values of the path's `:name` parts. */
  readonly params: Readonly<Record<string, string>>;
  /** `Prefer: return=minimal`: what clients restore is left out. */
  readonly isMinimal: boolean;
}

/**
 * A call that reads what is the same for every visitor. It has a path of its own and can be a part of a batch, so
 * it depends on nothing but its URL and the stock.
 */
export interface Read {
  /** `:name` stands for one segment. */
  readonly path: string;
  /** Cache-Control of a successful response. */
  readonly control: string;
  /** Whether the response changes with the stock: then its ETag is the stock's version. */
  readonly isOfStock?: boolean;
  /** Returns the body or a promise of it, or throws an ApiError. */
  readonly read: (request: ReadRequest) => unknown;
}

/** A body that is JSON already. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export interface ReadResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; empty for 304. */
  readonly body: string;
}

const textOf = (body: unknown): string => (body instanceof JsonText ? body.text : JSON.stringify(body));

/** `Prefer: return=minimal` (RFC 7240). */
const isMinimal = (prefer: string | undefined): boolean => /\breturn=minimal\b/.test(prefer ?? '');

/** Attempts to search one state of a stock that changes meanwhile. */
const MAX_ATTEMPTS = 3;

/** The calls of `Read`, as routes and for batches. */
export class ReadTable {
  readonly #reads: readonly (Read & { readonly pattern: RegExp })[];
  readonly #stockVersion: () => string;
  readonly #step: Step;

  /** Paths match in the order of `reads`. `stockVersion` changes with everything that a read of the stock depends on. */
  constructor(reads: readonly Read[], stockVersion: () => string, step: Step) {
    this.#reads = reads.map((read) => ({ ...read, pattern: patternOf(read.path) }));
    this.#stockVersion = stockVersion;
    this.#step = step;
  }

  /** The read of a path, with the values of its parts. Throws a URIError if they are wrongly encoded. */
  find(pathname: string): { readonly read: Read; readonly params: ReadRequest['params'] } | undefined {
    for (const read of this.#reads) {
      const groups = read.pattern.exec(pathname);
      if (!groups) continue;
      const parts = Object.entries(groups.groups ?? {});
      return {
        read,
        params: Object.fromEntries(parts.map(([name, part]) => [name, decodeURIComponent(part)])),
      };
    }
    return undefined;
  }

  /**
   * Runs a read. An unchanged stock is recognized by its version, before anything is searched: the response to a
   * matching `If-None-Match` is 304. If the stock changes before a remote index has responded, the read is repeated,
   * so that the response reflects one state.
   */
  async run(
    called: Read,
    request: Pick<ReadRequest, 'query' | 'params'>,
    headers: { readonly prefer?: string | undefined; readonly ifNoneMatch?: string | undefined },
    attempt = 1,
  ): Promise<ReadResponse> {
    const { control, isOfStock, read } = called;
    const minimal = isMinimal(headers.prefer);
    const version = isOfStock ? this.#stockVersion() : undefined;
    const etag = version === undefined ? undefined : `W/"${version}${minimal ? '-minimal' : ''}"`;
    const responseHeaders = {
      'Cache-Control': control,
      Vary: 'Prefer',
      ...(minimal && { 'Preference-Applied': 'return=minimal' }),
      ...(version !== undefined && { 'Stock-Version': version }),
      ...(etag !== undefined && { ETag: etag }),
    };
    if (etag !== undefined && headers.ifNoneMatch === etag)
      return { status: 304, headers: responseHeaders, body: '' };
    const body = await this.#step('read', () => read({ ...request, isMinimal: minimal }));
    const hasChanged = version !== undefined && version !== this.#stockVersion();
    if (hasChanged && attempt < MAX_ATTEMPTS) return await this.run(called, request, headers, attempt + 1);
    return { status: 200, headers: responseHeaders, body: this.#step('serialize', () => textOf(body)) };
  }

  /** Each read at its own path. */
  routes(): Router {
    const router = Router();
    for (const read of this.#reads)
      router.get(read.path, async (request: Request, response: Response) => {
        const { query } = splitUrl(request.originalUrl);
        const { status, headers, body } = await this.run(
          read,
          { query, params: request.params as Record<string, string> },
          { prefer: request.get('prefer'), ifNoneMatch: request.get('if-none-match') },
        );
        response.status(status).set(headers);
        if (status === 304) response.end();
        else response.type('json').send(body);
      });
    return router;
  }
}

const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .split(/:(\w+)/)
      .map((part, at) => (at % 2 === 0 ? RegExp.escape(part) : `(?<${part}>[^/]+)`))
      .join('')}/?$`,
    'i',
  );

/** Path and query of a request target. Throws 400 INVALID_PATH for one that is no path. */
export function splitUrl(target: string): { readonly pathname: string; readonly query: URLSearchParams } {
  if (!target.startsWith('/')) throw new ApiError(400, 'INVALID_PATH', 'The URL must begin with a path');
  const start = target.indexOf('?');
  return start < 0
    ? { pathname: target, query: new URLSearchParams() }
    : { pathname: target.slice(0, start), query: new URLSearchParams(target.slice(start + 1)) };
}
