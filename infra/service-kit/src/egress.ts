import dns, { type LookupAddress, type LookupOptions } from 'node:dns';
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { SPECIAL_IPV4, SPECIAL_IPV6 } from './specialPurposeAddresses.data.ts';

/** Where a process connects to for one purpose. */
export interface EgressScope {
  readonly purpose: string;
  /** Decides by the parsed URL, so that no spelling of a URL passes by. */
  readonly allows: (url: URL) => boolean;
}

/** Requests of one purpose, with their limits. A service's `EGRESS` lists all rules; lint forbids requests without one. */
export interface EgressRule extends EgressScope {
  /** An operator named the address, so it may be in the internal network. Addresses from outside never may. */
  readonly isConfigured: boolean;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Redirects that are followed, each to where the rule allows it; by default none. */
  readonly redirects?: number;
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether requests to the URL are encrypted, or stay on this machine. */
export function isPrivateOrigin(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || LOOPBACK.has(hostname);
}

/** The origin of a URL that the configuration names. */
export function originScope(purpose: string, base: string): EgressScope {
  const { origin } = new URL(base);
  return { purpose, allows: (url) => url.origin === origin };
}

/** An issuer that the configuration names, and the endpoints and keys that it names in turn. */
export function issuerScope(issuer: string): EgressScope {
  const { purpose, allows } = originScope('issuer', issuer);
  return { purpose, allows: (url) => allows(url) || url.protocol === 'https:' };
}

export const issuerRule = (issuer: string, timeoutMs: number): EgressRule => ({
  ...issuerScope(issuer),
  isConfigured: true,
  timeoutMs,
  maxBytes: 256 * 1024,
});

export class EgressError extends Error {
  override readonly name = 'EgressError';
  readonly code: 'REFUSED' | 'REDIRECTED' | 'TOO_LARGE' | 'TIMEOUT';
  constructor(code: EgressError['code'], purpose: string) {
    super(`outgoing request for ${purpose}: ${code}`);
    this.code = code;
  }
}

/**
 * `BlockList` checks IPv4-mapped addresses (`::ffff:10.0.0.1`) against the IPv4 networks itself; a subnet `::ffff:0:0/96`
 * would match all of IPv4.
 */
function networksOf(isGlobal: boolean): BlockList {
  const networks = new BlockList();
  for (const { network, prefix, ...row } of SPECIAL_IPV4) {
    if (row.isGlobal !== isGlobal) continue;
    networks.addSubnet(network, prefix, 'ipv4');
    // Through a NAT64 gateway: names in a network of IPv6 alone lead to IPv4 addresses like this.
    networks.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6');
  }
  for (const { network, prefix, ...row } of SPECIAL_IPV6)
    if (row.isGlobal === isGlobal) networks.addSubnet(network, prefix, 'ipv6');
  return networks;
}

const INTERNAL = networksOf(false);
const EXCEPTIONS = networksOf(true);

/** Whether an address is not on the Internet. */
function isInternal(address: string): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return INTERNAL.check(address, family) && !EXCEPTIONS.check(address, family);
}

/** Finds the addresses of a name; by default the system does. */
export type ResolveName = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const resolveBySystem: ResolveName = (...lookup) => dns.lookup(...lookup);

/**
 * Looks a name up and refuses internal addresses. The connection is made to the address that was checked, so a name
 * can't change in between (DNS rebinding).
 */
const lookupPublic =
  (purpose: string, resolve: ResolveName): LookupFunction =>
  (hostname, options: LookupOptions, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const refused =
        error ??
        (addresses.some(({ address }) => isInternal(address)) || addresses.length === 0
          ? new EgressError('REFUSED', purpose)
          : null);
      const [first] = addresses ?? [];
      if (options.all) done(refused, addresses ?? []);
      else done(refused, first?.address ?? '', first?.family);
    });
  };

interface EgressRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}
export type Egress = (url: string, request?: EgressRequest) => Promise<Response>;

/** For clients with connections of their own: called before each request. @throws EgressError */
export function mustAllow({ purpose, allows }: EgressScope, url: URL): void {
  if (!allows(url)) throw new EgressError('REFUSED', purpose);
}

/** Sends requests that the rule allows. Redirects are refused, or followed where the rule allows that. @throws EgressError */
export function createEgress(rule: EgressRule, resolve: ResolveName = resolveBySystem): Egress {
  const fail = (code: EgressError['code']) => new EgressError(code, rule.purpose);
  const signalOf = () => AbortSignal.timeout(rule.timeoutMs);
  return (target, request) => send(target, request, signalOf(), rule.redirects ?? 0);

  function send(
    target: string,
    { method = 'GET', headers, body }: EgressRequest = {},
    signal: AbortSignal,
    redirects: number,
  ): Promise<Response> {
    return new Promise((done, reject) => {
      const url = URL.canParse(target) ? new URL(target) : undefined;
      const literal = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
      const isRefused = !url || !/^https?:$/.test(url.protocol) || !rule.allows(url);
      if (isRefused || (!rule.isConfigured && isIP(literal) !== 0 && isInternal(literal)))
        return reject(fail('REFUSED'));
      const begin = url.protocol === 'https:' ? httpsRequest : httpRequest;
      const request: ClientRequest = begin(url, {
        method,
        headers,
        signal,
        ...(!rule.isConfigured && { lookup: lookupPublic(rule.purpose, resolve) }),
      });
      const onError = (error: Error) => reject(signal.aborted ? fail('TIMEOUT') : error);
      request.once('error', onError);
      request.once('response', (response) => {
        const { statusCode = 0, headers: received } = response;
        if (statusCode < 300 || statusCode >= 400) return void read(response, rule).then(done, onError);
        request.destroy();
        const next = redirects > 0 && received.location ? URL.parse(received.location, url)?.href : undefined;
        if (next === undefined) return reject(fail('REDIRECTED'));
        return void send(next, { method, headers, body }, signal, redirects - 1).then(done, reject);
      });
      return request.end(body);
    });
  }
}

async function read(response: IncomingMessage, { purpose, maxBytes }: EgressRule): Promise<Response> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) throw new EgressError('TOO_LARGE', purpose);
    parts.push(part);
  }
  const { statusCode: status = 0, headers } = response;
  const type = headers['content-type'];
  const hasBody = ![204, 205, 304].includes(status);
  return new Response(hasBody ? Buffer.concat(parts) : null, {
    status,
    headers: type ? { 'Content-Type': type } : {},
  });
}

/** `fetch` with a body that is read as it arrives. */
export type StreamingEgress = (url: URL | string, init?: RequestInit) => Promise<Response>;

/**
 * `fetch` for scopes that an operator configured, without redirects. The caller bounds time and size by a signal and
 * `readBody`. Rejects with EgressError before anything is sent.
 */
export const createStreamingEgress =
  (scope: EgressScope): StreamingEgress =>
  async (target, init) => {
    const url = new URL(target);
    mustAllow(scope, url);
    return fetch(url, { ...init, redirect: 'error' });
  };

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
