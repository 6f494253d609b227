import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { contextOf } from './requestContext.ts';

/**
 * Names of the Trusted Types policies: the shell's own, one of webpack for it
 * and each remote, and one for what a remote loads itself, once asked.
 */
const policyNames = (remotes: Iterable<string>): string =>
  [
    'forecourt',
    'shell#webpack',
    ...[...remotes].flatMap((remote) => [`${remote}#webpack`, `${remote}#scripts`]),
  ].join(' ');

/** Services that a browser asks for its token when notifications go by Firebase (AMB-128). */
export const FIREBASE_ORIGINS = [
  'https://firebaseinstallations.googleapis.com',
  'https://fcmregistrations.googleapis.com',
] as const;

/**
 * Headers of every answer. Scripts run by nonce and what they load
 * (strict-dynamic), nothing is evaluated, nothing third-party is reached but
 * `connectTargets`, origins.
 * Styles carry the nonce, style attributes are React's and allowed. Forms may
 * lead to `formTargets`, origins, too: signing out ends at the issuer.
 */
export function securityHeaders(
  remotes: () => Iterable<string>,
  formTargets: readonly string[] = [],
  connectTargets: readonly string[] = [],
): RequestHandler {
  const others = helmet({
    contentSecurityPolicy: false,
    // Plain http is for a local machine; in front of it a proxy speaks TLS and sends this itself.
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
  return (request, response, next) => {
    const { nonce } = contextOf(request);
    response.setHeader(
      'Content-Security-Policy',
      [
        "default-src 'none'",
        `script-src 'nonce-${nonce}' 'strict-dynamic'`,
        `style-src 'self' 'nonce-${nonce}'`,
        "style-src-attr 'unsafe-inline'",
        "img-src 'self' data:",
        ["connect-src 'self'", ...connectTargets].join(' '),
        "font-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "frame-src 'self'",
        ["form-action 'self'", ...formTargets].join(' '),
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        `trusted-types ${policyNames(remotes())}`,
      ].join('; '),
    );
    others(request, response, next);
  };
}
