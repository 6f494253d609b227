import { createStreamingEgress, readBody } from '@forecourt/service-kit/egress';
import type { RequestHandler } from 'express';
import { EGRESS } from '../../engine/egress.ts';
import { contextOf } from '../../engine/http/requestContext.ts';
import { sendError } from '../../engine/http/responses.ts';

const CREATIVE_TIMEOUT_MS = 3_000;
const MAX_CREATIVE_BYTES = 256 * 1024;

/**
 * A creative is shown in a sandboxed frame: no scripts, no requests, and links open
 * in a new tab.
 */
const CREATIVE_POLICY = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** `GET /ads/creative?…`: the ad service's document with this shell's policy. */
export const adCreative =
  (upstream: string, send = createStreamingEgress(EGRESS.upstream(upstream))): RequestHandler =>
  async (request, response) => {
    const { requestId, signal } = contextOf(request);
    const url = new URL('/ads/creative', upstream);
    url.search = new URL(request.originalUrl, upstream).search;
    try {
      const creative = await send(url, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(CREATIVE_TIMEOUT_MS)]),
        headers: { 'X-Request-Id': requestId },
      });
      if (creative.status !== 200 || !creative.headers.get('content-type')?.startsWith('text/html')) {
        await creative.body?.cancel();
        return sendError(response, 404, 'NO_AD', 'no such ad');
      }
      const html = (await readBody(creative, MAX_CREATIVE_BYTES)).toString('utf8');
      response.set({ 'Content-Security-Policy': CREATIVE_POLICY, 'Cache-Control': 'no-store' });
      // Its sandboxed origin can't be the key of an agent cluster: the browser would warn for each ad.
      response.removeHeader('Origin-Agent-Cluster');
      return response.type('html').send(html);
    } catch {
      if (signal.aborted) return undefined;
      return sendError(response, 502, 'UPSTREAM_UNREACHABLE', 'the ad is not available');
    }
  };
