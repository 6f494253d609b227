import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { contextOf } from './requestContext.ts';

/**
 * Names of the Trusted Types policies: the shell's own, that of its inline script,
 * webpack's for the shell and each remote, and one per remote for scripts that it
 * loads itself.
 */
export const policyNames = (remotes: Iterable<string>): string =>
  [
    'forecourt',
    'forecourt#early',
    'shell#webpack',
    ...[...remotes].flatMap((remote) => [`${remote}#webpack`, `${remote}#scripts`]),
  ].join(' ');

/** Services that issue a browser's token for Firebase notifications (AMB-128). */
export const FIREBASE_ORIGINS = [
  'https://firebaseinstallations.googleapis.com',
  'https://fcmregistrations.googleapis.com',
] as const;

/**
 * Headers of every response. Scripts need the nonce (strict-dynamic), no eval,
 * no third parties except the origins in `connectTargets`. Style attributes are
 * allowed because React writes them. Forms may also lead to the origins in
 * `formTargets`: signing out ends at the issuer.
 */
export function securityHeaders(
  remotes: () => Iterable<string>,
  formTargets: readonly string[] = [],
  connectTargets: readonly string[] = [],
): RequestHandler {
  const others = helmet({
    contentSecurityPolicy: false,
    // In production the TLS proxy sends this header.
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
