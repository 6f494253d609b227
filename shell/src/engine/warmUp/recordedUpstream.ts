import { Readable } from 'node:stream';
import { BATCH_PATH_HEADER, type batchRequestSchema } from '@forecourt/upstream/batch';
import { type AxiosAdapter, AxiosError, AxiosHeaders, type InternalAxiosRequestConfig } from 'axios';
import type { z } from 'zod';
import { urlOf } from '../gateway/callBatches.ts';

/** The upstream's recorded response at a path; undefined if there is none. */
export type RecordedResponses = (pathname: string) => object | undefined;

const BATCH_PATH = '/batch';
/** Bytes that a socket delivers at a time. */
const CHUNK = 64 * 1024;

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}

/** Sends a gateway's calls nowhere: they get recorded responses as bytes, alone or in batches, and status 404 without one. */
export function recordedUpstream(responseAt: RecordedResponses): AxiosAdapter {
  const bodies = new Map<string, Buffer | undefined>();
  const bodyAt = (pathname: string): Buffer | undefined => {
    if (!bodies.has(pathname)) {
      const response = responseAt(pathname);
      bodies.set(pathname, response && Buffer.from(JSON.stringify(response)));
    }
    return bodies.get(pathname);
  };

  function batch({ data, baseURL }: InternalAxiosRequestConfig): Readable {
    const { calls } = JSON.parse(String(data)) as z.infer<typeof batchRequestSchema>;
    const parts = calls.flatMap(({ url }, id) => {
      const body = bodyAt(new URL(url, baseURL).pathname);
      const head = { id, status: body ? 200 : 404, headers: {}, bytes: body?.length ?? 0 };
      return [Buffer.from(`${JSON.stringify(head)}\n`), body ?? Buffer.alloc(0)];
    });
    return Readable.from(chunksOf(Buffer.concat(parts)));
  }

  return async (config) => {
    const headers = new AxiosHeaders({ [BATCH_PATH_HEADER]: BATCH_PATH });
    const { pathname } = urlOf(config);
    const respond = (status: number, data: unknown) => ({ config, status, statusText: '', headers, data });
    if (config.method === 'post' && pathname === BATCH_PATH) return respond(200, batch(config));
    const body = bodyAt(pathname);
    if (body) return respond(200, body.toString('utf8'));
    throw new AxiosError('not recorded', AxiosError.ERR_BAD_REQUEST, config, undefined, respond(404, ''));
  };
}
