import compression from 'compression';
import type { RequestHandler } from 'express';
import { createLruCache } from '@forecourt/service-kit/lruCache';
import { ownBytes } from '@forecourt/service-kit/ownBytes';
import { createStreamingEgress, type StreamingEgress, readBody } from '@forecourt/service-kit/egress';
import { EGRESS } from '../../engine/egress.ts';
import { contextOf } from '../../engine/http/requestContext.ts';
import { sendError } from '../../engine/http/responses.ts';
import { createCompressedSender } from '../../engine/http/staticFiles.ts';

const PICTURE_TIMEOUT_MS = 5_000;
/** One picture per body style, color and view: a few hundred small drawings. */
const MAX_PICTURES = 1_000;
const MAX_CACHE_BYTES = 32 * 1024 * 1024;
const MAX_PICTURE_BYTES = 4 * 1024 * 1024;
const FORWARDED_HEADERS = ['content-type', 'cache-control', 'etag', 'vary'];

interface Picture {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** ms for which a response may be used again; 0 for one that may not. */
const freshMs = ({ headers }: Picture): number =>
  1_000 * Number(/max-age=(\d+)/.exec(headers['cache-control'] ?? '')?.[1] ?? 0);

class PictureError extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

/** Photos have one URL in two formats. Few values, because each is a key of the cache. */
const photoFormat = ({ pathname }: URL, accept = ''): string | undefined =>
  !pathname.startsWith('/pictures/photos/')
    ? undefined
    : /image\/avif(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accept)
      ? 'image/avif'
      : 'image/webp';

/** Fetches one picture under a deadline and a size limit. Rejects with PictureError. */
async function fetchPicture(
  send: StreamingEgress,
  url: URL,
  requestId: string,
  accept: string | undefined,
): Promise<Picture> {
  const response = await send(url, {
    // Not the client's signal: other clients may share this request.
    signal: AbortSignal.timeout(PICTURE_TIMEOUT_MS),
    headers: { 'X-Request-Id': requestId, ...(accept && { Accept: accept }) },
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new PictureError(response.status);
  }
  const headers = FORWARDED_HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const body = await readBody(response, MAX_PICTURE_BYTES, () => new PictureError(502));
  return { headers: Object.fromEntries(headers), body: ownBytes(body) };
}

/**
 * `/pictures/…` and `/static/…`: pictures and scripts
 * (AMB-196) from the upstream, on the page's own origin. Recently used files
 * are cached, and concurrent requests share one fetch. Nothing else of the
 * upstream is reachable.
 */
export function upstreamFiles(
  upstream: string,
  {
    maxPictures = MAX_PICTURES,
    maxBytes = MAX_CACHE_BYTES,
    now = Date.now,
    sendCompressed = createCompressedSender(),
  } = {},
): RequestHandler {
  const send = createStreamingEgress(EGRESS.upstream(upstream));
  const cache = createLruCache<{ readonly picture: Picture; readonly freshUntil: number }>({
    maxEntries: maxPictures,
    maxBytes,
  });
  const pending = new Map<string, Promise<Picture>>();

  async function load(url: URL, requestId: string, accept: string | undefined): Promise<Picture> {
    const key = accept ? `${url.pathname} ${accept}` : url.pathname;
    const cached = cache.get(key);
    if (cached && cached.freshUntil > now()) return cached.picture;
    let fetching = pending.get(key);
    if (!fetching) {
      fetching = fetchPicture(send, url, requestId, accept).finally(() => pending.delete(key));
      pending.set(key, fetching);
    }
    const picture = await fetching;
    const lifetime = freshMs(picture);
    if (lifetime > 0) cache.set(key, { picture, freshUntil: now() + lifetime }, picture.body.length);
    return picture;
  }

  return async (request, response) => {
    const { requestId } = contextOf(request);
    const url = new URL(request.path, upstream);
    // Checked after resolution: '/pictures/../rest' is '/rest'.
    if (!/^\/(pictures|static)\//.test(url.pathname) || url.origin !== new URL(upstream).origin)
      return sendError(response, 404, 'NO_PICTURE', 'no such picture');
    try {
      const picture = await load(url, requestId, photoFormat(url, request.headers.accept));
      response.set(picture.headers);
      // Frames of slots have an opaque origin.
      response.set('Cross-Origin-Resource-Policy', 'cross-origin');
      // SVG drawings compress to a third of their size. Worthwhile only for cached files.
      return freshMs(picture) > 0 && compression.filter(request, response)
        ? await sendCompressed(request, response, picture.body)
        : response.send(picture.body);
    } catch (error) {
      return error instanceof PictureError && error.status >= 400 && error.status < 500
        ? sendError(response, 404, 'NO_PICTURE', 'no such picture')
        : sendError(response, 502, 'UPSTREAM_UNREACHABLE', 'the picture is not available');
    }
  };
}
