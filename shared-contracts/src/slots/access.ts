import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const isLoopback = (address = ''): boolean => {
  const family = isIP(address);
  // BlockList also sees through IPv4 in IPv6 form, ::ffff:127.0.0.1.
  return family !== 0 && loopback.check(address, family === 6 ? 'ipv6' : 'ipv4');
};

const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;
/** A browser sends one of the first two with every write; a proxy adds one of the others. */
const FOREIGN_HEADERS = [
  'origin',
  'sec-fetch-site',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'via',
];

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

type Asking = Pick<IncomingMessage, 'headers' | 'socket'>;

function isLocalProgram({ headers, socket }: Asking): boolean {
  return (
    isLoopback(socket.remoteAddress) &&
    LOCAL_HOST.test(headers.host ?? '') &&
    FOREIGN_HEADERS.every((name) => headers[name] === undefined)
  );
}

/**
 * Who may direct releases, at the registry and at a shell's gate. With a token:
 * whoever presents it as a bearer. Without one (local mode): only a program on
 * this machine that is not a browser; a web page the developer happens to visit
 * must not publish (CSRF), neither through a name that it lets point to
 * 127.0.0.1 (DNS rebinding). Runs on servers only.
 */
export function releaseAccess(token: string | undefined): (request: Asking) => boolean {
  if (token === undefined) return isLocalProgram;
  const expected = digest(token);
  return ({ headers }) => {
    const presented = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
    // Digests have one length, so that neither length nor content shows in the time it takes.
    return presented !== undefined && timingSafeEqual(digest(presented), expected);
  };
}
