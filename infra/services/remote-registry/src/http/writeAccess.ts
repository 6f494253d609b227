import { releaseAccess } from '@forecourt/shared-contracts/slots/access';
import type { RequestHandler } from 'express';
import { RegistryError } from '@forecourt/cli/release';

/** Guards every write: by the token, or without one (local mode) for programs on this machine alone. */
export function writeAccess(token: string | undefined): RequestHandler {
  const mayWrite = releaseAccess(token);
  return (req, res, next) => {
    if (mayWrite(req)) return next();
    if (token === undefined)
      return next(
        new RegistryError(
          'WRITE_REFUSED',
          'without a token, only local programs may write, no browser and no proxy',
        ),
      );
    res.setHeader('WWW-Authenticate', 'Bearer realm="registry"');
    return next(new RegistryError('UNAUTHORIZED', 'writing needs the registry token as a bearer token'));
  };
}
