import compression from 'compression';
import type { RequestHandler } from 'express';
import { createCompressedSender } from './compressOnce.ts';
import { sendError } from './errors.ts';
import { infoOf } from './requestContext.ts';

const DEADLINE_MS = 5_000;
/** There is a picture for each body style, colour and view: a few hundred small drawings. */
const MAX_PICTURES = 1_000;
const MAX_CACHE_BYTES = 32 * 1024 * 1024;
const MAX_PICTURE_BYTES = 4 * 1024 * 1024;
const PASSED_ON = ['content-type', 'cache-control', 'etag', 'vary'];

interface Picture {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const mayBeKept = ({ headers }: Picture): boolean => /max-age=[1-9]/.test(headers['cache-control'] ?? '');

class NoPicture extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

/** Fetches one picture under a total deadline and a size limit. Rejects with NoPicture where there is none. */
async function fetchPicture(url: URL, requestId: string): Promise<Picture> {
  const answer = await fetch(url, {
    // Not the visitor's own signal: others may wait for the same picture.
    signal: AbortSignal.timeout(DEADLINE_MS),
    redirect: 'error',
    headers: { 'X-Request-Id': requestId },
  });
  if (answer.status !== 200) {
    await answer.body?.cancel();
    throw new NoPicture(answer.status);
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += (part as Uint8Array).byteLength;
    if (size > MAX_PICTURE_BYTES) throw new NoPicture(502);
    parts.push(part as Uint8Array);
  }
  const headers = PASSED_ON.flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { headers: Object.fromEntries(headers), body: Buffer.concat(parts) };
}

/**
 * `/pictures/…` and `/static/…`: vehicle pictures and the make-offer script
 * (AMB-196) from the upstream on the page's own origin. The last ones asked
 * for are kept, and one that many ask for at once is fetched once. Nothing else
 * of the upstream can be reached.
 */
export function upstreamFiles(
  upstream: string,
  { maxPictures = MAX_PICTURES, maxBytes = MAX_CACHE_BYTES } = {},
): RequestHandler {
  const kept = new Map<string, Picture>();
  const sendCompressed = createCompressedSender();
  const underWay = new Map<string, Promise<Picture>>();
  let bytes = 0;

  function drop(key: string) {
    bytes -= kept.get(key)?.body.length ?? 0;
    kept.delete(key);
  }

  function keep(key: string, picture: Picture) {
    if (!mayBeKept(picture)) return;
    drop(key);
    kept.set(key, picture);
    bytes += picture.body.length;
    for (const oldest of kept.keys()) {
      if (kept.size <= maxPictures && bytes <= maxBytes) break;
      drop(oldest);
    }
  }

  function pictureOf(url: URL, requestId: string): Promise<Picture> {
    const key = url.pathname;
    const known = kept.get(key);
    if (known) {
      // The last asked for stands last.
      kept.delete(key);
      kept.set(key, known);
      return Promise.resolve(known);
    }
    let fetching = underWay.get(key);
    if (!fetching) {
      fetching = fetchPicture(url, requestId).finally(() => underWay.delete(key));
      underWay.set(key, fetching);
      fetching.then(
        (picture) => keep(key, picture),
        () => {},
      );
    }
    return fetching;
  }

  return async (request, response) => {
    const { requestId } = infoOf(request);
    const url = new URL(request.path, upstream);
    // The path is resolved now: '/pictures/../rest' has become '/rest'.
    if (!/^\/(pictures|static)\//.test(url.pathname) || url.origin !== new URL(upstream).origin)
      return sendError(response, 404, 'NO_PICTURE', 'there is no such picture', requestId);
    try {
      const picture = await pictureOf(url, requestId);
      response.set(picture.headers);
      // Drawings are text: a third of the bytes. What is fetched anew each time is not worth the work.
      return mayBeKept(picture) && compression.filter(request, response)
        ? await sendCompressed(request, response, picture.body)
        : response.send(picture.body);
    } catch (error) {
      return error instanceof NoPicture && error.status >= 400 && error.status < 500
        ? sendError(response, 404, 'NO_PICTURE', 'there is no such picture', requestId)
        : sendError(response, 502, 'UPSTREAM_UNREACHABLE', 'the picture is not available', requestId);
    }
  };
}
