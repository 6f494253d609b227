import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const isLoopback = (address = ''): boolean => {
  const family = isIP(address);
  // BlockList also matches IPv4-mapped IPv6 addresses, ::ffff:127.0.0.1.
  return family !== 0 && loopback.check(address, family === 6 ? 'ipv6' : 'ipv4');
};

const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;
/** Browsers send one of the first two with every write; proxies add one of the others. */
const FOREIGN_HEADERS = [
  'origin',
  'sec-fetch-site',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'via',
];

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

type ReleaseRequest = Pick<IncomingMessage, 'headers' | 'socket'>;

function isLocalProgram({ headers, socket }: ReleaseRequest): boolean {
  return (
    isLoopback(socket.remoteAddress) &&
    LOCAL_HOST.test(headers.host ?? '') &&
    FOREIGN_HEADERS.every((name) => headers[name] === undefined)
  );
}

/**
 * Authorizes requests that change releases, at the registry and at a shell's gate. With a token: the bearer
 * of the token. Without one (local mode): local programs that are not browsers, so that a web page can
 * publish neither by CSRF nor by DNS rebinding. Servers only.
 */
export function releaseAccess(token: string | undefined): (request: ReleaseRequest) => boolean {
  if (token === undefined) return isLocalProgram;
  const expected = digest(token);
  return ({ headers }) => {
    const bearerToken = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
    // Digests have equal length, so that the comparison's time reveals neither length nor content.
    return bearerToken !== undefined && timingSafeEqual(digest(bearerToken), expected);
  };
}
