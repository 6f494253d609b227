import type { Request, RequestHandler, Response } from 'express';
import { releaseAccess } from '@forecourt/shared-contracts/slots/access';
import { type Action, ACTIONS, type Caller, RegistryError } from '@forecourt/cli/release';
import { mustAllow } from '../access/credentials.ts';
import { type AppDeps, type AppOptions, parseInput } from './requests.ts';
import { remoteNameSchema } from '@forecourt/shared-contracts/slots/release';

const EVERYTHING: Caller['scopes'] = [{ remote: '*', actions: [...ACTIONS] }];

/** The holder of REGISTRY_TOKEN, who creates the first credentials. */
const BOOTSTRAP: Caller = { name: 'bootstrap', scopes: EVERYTHING };
/** A program on this machine, in local mode without REGISTRY_TOKEN. */
const LOCAL: Caller = { name: 'local', scopes: EVERYTHING };

/** Reserved names: a credential with one could pass for another caller in the history. */
export const RESERVED_NAMES: readonly string[] = [BOOTSTRAP.name, LOCAL.name, 'offline', 'self', 'exchange'];

/** Authenticates the request; `callerOf` returns the caller. @throws RegistryError UNAUTHORIZED, WRITE_REFUSED */
export function authenticate(
  { credentials }: Pick<AppDeps, 'credentials'>,
  { token }: AppOptions,
): RequestHandler {
  const isBootstrap = token === undefined ? () => false : releaseAccess(token);
  const isLocalProgram = releaseAccess(undefined);

  async function callerBy(req: Request): Promise<Caller> {
    if (isBootstrap(req)) return BOOTSTRAP;
    const { authorization = '' } = req.headers;
    if (authorization === '' && token === undefined) {
      if (isLocalProgram(req)) return LOCAL;
      throw new RegistryError(
        'WRITE_REFUSED',
        'without a token, only local programs may write, no browser and no proxy',
      );
    }
    const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (bearer === undefined)
      throw new RegistryError('UNAUTHORIZED', 'this needs the token of a credential as a bearer token');
    return credentials.authenticate(bearer);
  }

  return async (req, res, next) => {
    res.locals['caller'] = await callerBy(req);
    next();
  };
}

/** Caller of an authenticated request; only after `authenticate`. */
export const callerOf = (res: Response): Caller => res.locals['caller'] as Caller;

/** Requires the action on the remote in the path, or without one on all remotes, before the body is read. */
export const requires =
  (action: Action): RequestHandler =>
  (req, res, next) => {
    const { name } = req.params;
    mustAllow(callerOf(res), action, name === undefined ? '*' : parseInput(remoteNameSchema, name));
    next();
  };
