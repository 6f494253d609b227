import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { mustAllow } from '@forecourt/service-kit/egress';
import axios, { type AxiosAdapter, type AxiosInstance } from 'axios';
import { EGRESS } from '../egress.ts';
import { createBatchingAdapter, urlOf } from './callBatches.ts';
import type { CallTrace } from './gatewayMetrics.ts';

declare module 'axios' {
  interface AxiosRequestConfig {
    /** Of the page that makes the call; calls with the same id may share a request. */
    requestId?: string;
    /** Headers that identify the visitor; missing for calls without credentials. */
    credentials?: () => Promise<Readonly<Record<string, string>>>;
  }
}

/** Bytes of a response. */
const MAX_CONTENT_LENGTH = 32 * 1024 * 1024;

/** An upstream as the gateway sees it. */
interface UpstreamClient {
  readonly http: AxiosInstance;
  /** Whether the upstream accepts batches, as far as known. */
  readonly isBatching: () => boolean;
}

/**
 * The client of one upstream: its own pool of keep-alive connections, no redirects or proxies, which could lead to another
 * host. Without `timeout`: it would limit a request, but calls of a batch share one, and each has a limit of its own.
 */
export function createUpstreamClient(
  baseURL: string,
  {
    trace,
    send = axios.getAdapter('http'),
  }: { readonly trace?: CallTrace | undefined; readonly send?: AxiosAdapter | undefined } = {},
): UpstreamClient {
  const scope = EGRESS.upstream(baseURL);
  const sendAllowed: AxiosAdapter = async (config) => {
    mustAllow(scope, urlOf(config));
    return send(config);
  };
  const { adapter, isBatching } = createBatchingAdapter(sendAllowed);
  const http = axios.create({
    baseURL,
    adapter,
    allowAbsoluteUrls: false,
    httpAgent: new Agent({ keepAlive: true }),
    httpsAgent: new TlsAgent({ keepAlive: true }),
    maxRedirects: 0,
    proxy: false,
    decompress: false,
    maxContentLength: MAX_CONTENT_LENGTH,
    headers: {
      // Compression costs more time than it saves within a network.
      common: { Accept: 'application/json', 'Accept-Encoding': 'identity' },
      // The response's schema restores what an upstream then leaves out.
      get: { Prefer: 'return=minimal' },
    },
  });
  http.interceptors.request.use(
    (config) => {
      const { requestId = '' } = config;
      config.headers.set({ 'X-Request-Id': requestId, ...trace?.headers(requestId) });
      return config;
    },
    null,
    { synchronous: true },
  );
  http.interceptors.request.use(
    async (config) => {
      config.headers.set({ ...(await config.credentials?.()) });
      return config;
    },
    null,
    { runWhen: ({ credentials }) => credentials !== undefined },
  );
  return { http, isBatching };
}
