import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { contextOf } from './requestContext.ts';

/** Headers of every response. Pages replace the policy by the one of their styles. */
export function securityHeaders(): RequestHandler {
  const others = helmet({
    contentSecurityPolicy: false,
    // In production the TLS proxy sends this header.
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
  return (request, response, next) => {
    response.setHeader('Content-Security-Policy', contextOf(request).policy());
    others(request, response, next);
  };
}
