import { type EgressScope, issuerScope, originScope } from '@forecourt/service-kit/egress';

/**
 * The policy: what the shell connects to. Operators name all of these addresses, so
 * they may be in the internal network; visitors, upstream and releases name none. Every outgoing request goes through a
 * scope; lint forbids others.
 */
export const EGRESS = {
  upstream: (base: string) => originScope('upstream', base),
  registry: (base: string) => originScope('registry', base),
  /** A build on a tester's machine; OVERRIDE_ORIGINS lists them. */
  build: (origin: string) => originScope('build', origin),
  /** The issuer, and the endpoints and keys that it names in turn. */
  issuer: issuerScope,
} as const satisfies Record<string, (address: string) => EgressScope>;
