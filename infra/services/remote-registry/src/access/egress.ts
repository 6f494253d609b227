import { issuerRule } from '@forecourt/durable/egress';

/**
 * The policy: what the registry connects to. Besides, `@forecourt/cli/client` calls the shells of `SHELL_URLS` and
 * `WATCHED_SHELLS`, and the AWS client the bucket of `S3_BUCKET`; only the configuration names these.
 */
export const EGRESS = {
  issuer: (issuer: string) => issuerRule(issuer, 5_000),
} as const;
