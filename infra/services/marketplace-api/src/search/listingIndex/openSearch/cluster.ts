import { Client, errors } from '@opensearch-project/opensearch';
import { z } from 'zod';

/** The engine can't be reached, is overloaded or doesn't respond in time. */
export class SearchUnavailable extends Error {
  readonly code = 'SEARCH_UNAVAILABLE';
}

/** An index is gone, or not there yet after a start of the engine. */
export class IndexLost extends SearchUnavailable {}

/** The point in time of a search has expired, or its node was restarted. */
export class PointInTimeLost extends Error {}

export interface ClusterRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: object;
  /** Several JSON values, one a line. */
  readonly lines?: readonly object[];
  /** ms. */
  readonly timeoutMs?: number;
}

/** Failures, each of a request sent after the one before, after which requests fail at once. */
const FAILURES_UNTIL_OPEN = 3;
/** ms until the next attempt. */
const OPEN_MS = 1_000;
const UNAVAILABLE_STATUS = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Of every search: without the shards that a node has not opened yet, it would find less and say nothing. It fails as
 * unavailable instead.
 */
export const WHOLE = { allow_partial_search_results: false } as const;

/** Type of an error. */
export const NO_INDEX = 'index_not_found_exception';

const errorBody = z.object({ error: z.object({ type: z.string(), reason: z.string().nullish() }) });

/** An OpenSearch cluster: connections, timeouts and a circuit breaker. */
export class SearchCluster {
  private readonly client: Client;
  private readonly timeoutMs: number;
  private failures = 0;
  private failedAt = 0;
  private openUntil = 0;

  /** `timeoutMs` of a search. */
  constructor({ url, timeoutMs }: { readonly url: string; readonly timeoutMs: number }) {
    // A search that waits for a second attempt is slower than its caller waits.
    this.client = new Client({ node: url, maxRetries: 0, requestTimeout: timeoutMs });
    this.timeoutMs = timeoutMs;
  }

  /** Sends a request and parses its response. @throws SearchUnavailable, PointInTimeLost */
  async send<Response>(schema: z.ZodType<Response>, request: ClusterRequest): Promise<Response> {
    if (Date.now() < this.openUntil) throw new SearchUnavailable('The search engine failed just now');
    const sentAt = performance.now();
    try {
      const body = await this.transfer(request);
      this.failures = 0;
      return schema.parse(body);
    } catch (error) {
      throw this.classify(error, request, sentAt);
    }
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  private async transfer(request: ClusterRequest): Promise<unknown> {
    const { method, path, query, body, lines, timeoutMs = this.timeoutMs } = request;
    const response = await this.client.transport.request(
      {
        method,
        path,
        querystring: path.endsWith('/_search') ? { ...WHOLE, ...query } : query,
        body,
        ...(lines && { bulkBody: [...lines] }),
      },
      { requestTimeout: timeoutMs },
    );
    return response.body;
  }

  private classify(error: unknown, { method, path }: ClusterRequest, sentAt: number): unknown {
    if (error instanceof errors.ResponseError && !UNAVAILABLE_STATUS.has(error.statusCode ?? 0)) {
      const { data } = errorBody.safeParse(error.body);
      const reason = `${method} ${path}: ${error.statusCode} ${data?.error.type} ${data?.error.reason}`;
      if (data?.error.type === NO_INDEX) return new IndexLost(reason);
      return isLost(error.body) ? new PointInTimeLost(reason) : new Error(reason, { cause: error });
    }
    if (!(error instanceof errors.OpenSearchClientError)) return error;
    // A burst that the engine is too slow for is one failure, however many searches it had.
    if (sentAt >= this.failedAt) {
      this.failures += 1;
      this.failedAt = performance.now();
    }
    if (this.failures >= FAILURES_UNTIL_OPEN) this.openUntil = Date.now() + OPEN_MS;
    return new SearchUnavailable(`${method} ${path}: ${error.message}`, { cause: error });
  }
}

/** Whether a response or a part of it says that the point in time is gone. */
export const isLost = (body: unknown): boolean =>
  JSON.stringify(body).includes('search_context_missing_exception');
