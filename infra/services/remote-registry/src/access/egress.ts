import { isIP } from 'node:net';
import { type EgressRule, issuerRule } from '@forecourt/service-kit/egress';

/** What the registry asks of shells: to try a release, what they serve, and what they provide to releases. */
const SHELL_PATHS: ReadonlySet<string> = new Set([
  '/releases/gate',
  '/releases/report',
  '/releases/provides',
]);

/** Whether a URL is at a shell that an operator named, or over HTTP at one of the addresses that its name leads to. */
function isAt(shellUrl: string, { protocol, port, hostname }: URL): boolean {
  const shell = new URL(shellUrl);
  const isReplica = protocol === 'http:' && isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  return protocol === shell.protocol && port === shell.port && (hostname === shell.hostname || isReplica);
}

/** The policy: what the registry connects to, besides its database, its bucket and the receiver of traces, whose clients are in `@forecourt/service-kit`. */
export const EGRESS = {
  issuer: (issuer: string) => issuerRule(issuer, 5_000),
  /** `SHELL_URLS` and `WATCHED_SHELLS`. A gate renders every slot before it responds. */
  shells: (shellUrls: readonly string[]): EgressRule => ({
    purpose: 'shell',
    allows: (url) => SHELL_PATHS.has(url.pathname) && shellUrls.some((shell) => isAt(shell, url)),
    isConfigured: true,
    timeoutMs: 120_000,
    maxBytes: 16 * 1024 * 1024,
  }),
} as const;
