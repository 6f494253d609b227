import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import { RegistryError } from '../registryError.ts';

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

function hasToken(req: Request, expected: Buffer): boolean {
  const presented = /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
  // Digests have one length, so that neither length nor content shows in the time it takes.
  return presented !== undefined && timingSafeEqual(digest(presented), expected);
}

/**
 * Guards every write. With a token: the bearer must present it. Without
 * one (local mode): only a program on this machine that is not a browser;
 * a web page the developer happens to visit must not publish (CSRF), neither
 * through a name that it lets point to 127.0.0.1 (DNS rebinding).
 */
export function writeAccess(token: string | undefined): RequestHandler {
  const expected = token === undefined ? undefined : digest(token);
  return (req, res, next) => {
    if (expected) {
      if (hasToken(req, expected)) return next();
      res.setHeader('WWW-Authenticate', 'Bearer realm="registry"');
      return next(new RegistryError('UNAUTHORIZED', 'writing needs the registry token as a bearer token'));
    }
    const isLocalProgram =
      isLoopback(req.socket.remoteAddress) &&
      LOCAL_HOST.test(req.headers.host ?? '') &&
      FOREIGN_HEADERS.every((header) => req.headers[header] === undefined);
    return next(
      isLocalProgram
        ? undefined
        : new RegistryError(
            'WRITE_REFUSED',
            'without a token, only local programs may write, no browser and no proxy',
          ),
    );
  };
}
