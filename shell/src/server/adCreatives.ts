import type { RequestHandler } from 'express';
import { sendError } from './errors.ts';
import { infoOf } from './requestContext.ts';

const DEADLINE_MS = 3_000;
const MAX_CREATIVE_BYTES = 256 * 1024;

/**
 * A creative is a document of its own, for a sandboxed frame of this site's
 * pages: it runs no script, loads nothing, and its links open beside the page
 * (AMB-193).
 */
const POLICY = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

async function textOf(answer: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += (part as Uint8Array).byteLength;
    if (size > MAX_CREATIVE_BYTES) throw new Error('the creative is too large');
    parts.push(part as Uint8Array);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** `GET /ads/creative?…`: what the ad service shows in a slot, under this page's own rules and not the service's. */
export const adCreative =
  (upstream: string): RequestHandler =>
  async (request, response) => {
    const { requestId, signal } = infoOf(request);
    const url = new URL('/ads/creative', upstream);
    url.search = new URL(request.originalUrl, upstream).search;
    try {
      const answer = await fetch(url, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
        redirect: 'error',
        headers: { 'X-Request-Id': requestId },
      });
      if (answer.status !== 200 || !answer.headers.get('content-type')?.startsWith('text/html')) {
        await answer.body?.cancel();
        return sendError(response, 404, 'NO_AD', 'there is no such ad', requestId);
      }
      const html = await textOf(answer);
      response.set({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-store' });
      return response.type('html').send(html);
    } catch {
      if (signal.aborted) return undefined;
      return sendError(response, 502, 'UPSTREAM_UNREACHABLE', 'the ad is not available', requestId);
    }
  };
