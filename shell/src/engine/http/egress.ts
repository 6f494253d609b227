/** Where the shell connects to for one purpose. */
export interface EgressRule {
  readonly purpose: string;
  readonly allows: (url: URL) => boolean;
}

class EgressError extends Error {
  override readonly name = 'EgressError';
  constructor({ purpose }: EgressRule) {
    super(`outgoing request for ${purpose}: REFUSED`);
  }
}

const toOrigin = (purpose: string, base: string): EgressRule => {
  const { origin } = new URL(base);
  return { purpose, allows: (url) => url.origin === origin };
};

/**
 * The policy: what the shell connects to, besides the release host's socket. Operators name all of these addresses, so
 * they may be in the internal network; visitors, upstream and releases name none. Every outgoing request goes through a
 * rule; lint forbids others.
 */
export const EGRESS = {
  upstream: (base: string) => toOrigin('upstream', base),
  registry: (base: string) => toOrigin('registry', base),
  /** A build on a tester's machine; OVERRIDE_ORIGINS lists them. */
  build: (origin: string) => toOrigin('build', origin),
  /** The issuer, and the endpoints and keys that it names in turn. */
  issuer: (issuer: string): EgressRule => {
    const { allows } = toOrigin('issuer', issuer);
    return { purpose: 'issuer', allows: (url) => allows(url) || url.protocol === 'https:' };
  },
} as const;

export type Egress = (url: URL | string, init?: RequestInit) => Promise<Response>;

/** `fetch` for what the rule allows, without redirects. Rejects with EgressError before anything is sent. */
export const createEgress =
  (rule: EgressRule): Egress =>
  async (target, init) => {
    const url = new URL(target);
    if (!rule.allows(url)) throw new EgressError(rule);
    return fetch(url, { ...init, redirect: 'error' });
  };

/** For clients with connections of their own. @throws EgressError */
export function mustAllow(rule: EgressRule, url: URL): void {
  if (!rule.allows(url)) throw new EgressError(rule);
}

/**
 * Reads a response body of at most `limit` bytes. Throws `tooLarge()` at the
 * limit, so that an endless body cannot exhaust memory.
 */
export async function readBody(
  { body }: Pick<Response, 'body'>,
  limit: number,
  tooLarge: () => Error = () => new Error(`the body is larger than ${limit} bytes`),
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > limit) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts);
}
