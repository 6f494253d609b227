import type { EgressRule } from '@forecourt/durable/egress';

/**
 * The policy: what the registry connects to. Besides, `@forecourt/cli/client` calls the shells of `SHELL_URLS` and
 * `WATCHED_SHELLS`, and the AWS client the bucket of `S3_BUCKET`; only the configuration names these.
 */
export const EGRESS = {
  /** An issuer that the configuration names, and the endpoints and keys that it names in turn. */
  issuer: (issuer: string): EgressRule => ({
    purpose: 'issuer',
    allows: ({ protocol, origin }) => origin === new URL(issuer).origin || protocol === 'https:',
    isConfigured: true,
    timeoutMs: 5_000,
    maxBytes: 256 * 1024,
  }),
} as const;
