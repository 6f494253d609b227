import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { RequestHandler } from 'express';
import { sendError } from './errors.ts';
import { infoOf } from './requestContext.ts';

const DEADLINE_MS = 5_000;
const PASSED_ON = ['content-type', 'cache-control', 'etag', 'content-encoding', 'vary'];

/** Vehicle pictures come from the upstream's origin to the page's own, as they are. */
export function upstreamPictures(upstream: string): RequestHandler {
  return async (request, response) => {
    const { requestId, signal } = infoOf(request);
    let answer: Response;
    try {
      answer = await fetch(new URL(request.path, upstream), {
        signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
        redirect: 'error',
        headers: { 'X-Request-Id': requestId },
      });
    } catch {
      return sendError(response, 502, 'UPSTREAM_UNREACHABLE', 'the picture is not available', requestId);
    }
    if (answer.status !== 200 || !answer.body) {
      await answer.body?.cancel();
      return sendError(
        response,
        answer.status === 404 ? 404 : 502,
        'NO_PICTURE',
        'there is no such picture',
        requestId,
      );
    }
    for (const name of PASSED_ON) {
      const value = answer.headers.get(name);
      // fetch has decoded the body already.
      if (value !== null && name !== 'content-encoding') response.setHeader(name, value);
    }
    try {
      await pipeline(Readable.fromWeb(answer.body as ReadableStream), response);
    } catch {
      // The visitor or the upstream went away in the middle; the connection says so.
      response.destroy();
    }
    return undefined;
  };
}
