import { releaseAccess } from '@forecourt/releases/access';
import { remoteNameSchema } from '@forecourt/releases/manifest';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { Action } from '@forecourt/release-kit/actions';
import type { Caller } from '@forecourt/release-kit/credentials';
import { hasCode, RegistryError, zodReasons } from '@forecourt/release-kit/registryError';
import { originSchema } from '@forecourt/release-kit/registryResponses';
import { type ReleaseId, releaseIdSchema } from '@forecourt/release-kit/releaseFiles';
import type { Tracing } from '@forecourt/service-kit/tracing';
import type { Logger } from '@forecourt/service-kit/log';
import { callersByToken, LOCAL, type Credentials, mustAllow } from '../access/credentials.ts';
import type { SigningKeys } from '../access/signingKeys.ts';
import type { TrustedPublishers } from '../access/trustedPublishers.ts';
import type { ShellGates } from '../gate/shellGates.ts';
import type { TransparencyLog } from '../log/transparencyLog.ts';
import type { PointerBoard } from '../pointers/pointerBoard.ts';
import type { PointerStore, ReleaseStore } from '../ports.ts';
import type { Room } from '../room/openRoom.ts';
import type { RegistryMetrics } from './operations.ts';

/** Dependencies of the request handlers. */
export interface AppDeps {
  releases: ReleaseStore;
  pointers: PointerStore;
  board: PointerBoard;
  credentials: Credentials;
  keys: SigningKeys;
  log: TransparencyLog;
  /** CI runs that may get a credential; none by default. */
  publishers?: TrustedPublishers;
  /** Shells that must accept a release before canary, promote or pointer names it; none by default. */
  gates?: ShellGates;
  /** The control room's page and its sessions; none if the page is not built. */
  room?: Room;
  /** Origin of that page as browsers see it, if it is configured. */
  roomOrigin?: string | undefined;
  metrics: RegistryMetrics;
  logger: Logger;
  /** Default: nothing is traced. */
  tracing?: Tracing;
}

export interface AppOptions {
  /** Bearer token that allows everything. Without it, programs on this machine may do so. */
  token?: string;
  /** 0–11, default 11. */
  brotliQuality?: number;
  /** False during shutdown. */
  isAccepting?: () => boolean;
  /** Shows the API on a page. */
  isLocal?: boolean;
}

/** Parses input of a request. @throws RegistryError BAD_REQUEST with the reasons in one line */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new RegistryError('BAD_REQUEST', zodReasons(parsed.error));
}

export const remoteNameOf = (req: Request): string => parseInput(remoteNameSchema, req.params['name']);
export const releaseIdOf = (req: Request): ReleaseId => parseInput(releaseIdSchema, req.params);

/** A whole number in a query. */
export const queryNumber = z
  .string()
  .regex(/^\d{1,10}$/, 'must be a whole number')
  .transform(Number);
export const revisionSchema = z.number().int().nonnegative();
/** Fields of every pointer write: the revision it starts from and why. Who writes is what the credential says. */
export const writeSchema = originSchema
  .omit({ by: true, skipGate: true })
  .extend({ expectedRevision: revisionSchema.optional() });

/** Fields of the pointer writes that the gate checks. */
export const gatedWriteSchema = writeSchema.extend({
  /** Moves the pointer without asking any shell, in an emergency; needs a `why`, stored in the history. */
  skipGate: z.boolean().default(false),
});

/** Separates origin and expected revision from the rest of a write's body. */
export function splitWrite<T extends z.infer<typeof writeSchema>>(
  { name: by }: Caller,
  { why, expectedRevision, ...rest }: T,
) {
  return { rest, options: { origin: { by, ...(why === undefined ? {} : { why }) }, expectedRevision } };
}

/**
 * Whether the client has this representation already (RFC 9110, If-None-Match).
 * Express's `req.fresh` is not usable: it treats `Cache-Control: no-cache` as
 * unconditional, and fetch adds that header to every request with If-None-Match.
 * @param etag strong, with quotes
 */
export function isNotModified(req: Request, etag: string): boolean {
  const tags = req.headers['if-none-match'];
  if (tags === undefined) return false;
  return tags.trim() === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** Converts a thrown value to an error with a stable code. */
export function toRegistryError(error: unknown): RegistryError {
  if (error instanceof RegistryError) return error;
  if (hasCode(error, 'ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE')) {
    return new RegistryError('STORAGE_FULL', 'the disk is full; nothing was changed', { cause: error });
  }
  if (hasCode(error, 'DATABASE_UNAVAILABLE')) {
    return new RegistryError('STORAGE_UNAVAILABLE', 'the database is unavailable; try again', {
      cause: error,
    });
  }
  // Express and its body parsers set a status below 500 for client errors.
  const status =
    typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 500;
  if (status === 413)
    return new RegistryError('TOO_LARGE', 'the request body is too large', { cause: error });
  if (status >= 400 && status < 500) {
    return new RegistryError('BAD_REQUEST', 'the request cannot be read', { cause: error });
  }
  return new RegistryError('INTERNAL', 'the registry failed; its log has the reason', { cause: error });
}

export const notFound: RequestHandler = (req) => {
  throw new RegistryError('NOT_FOUND', `nothing at ${req.method} ${req.path}`);
};

/** Sends `{error: {code, message, requestId}}` plus the error's details, uncached. Express requires the four parameters. */
export const sendError: ErrorRequestHandler = (thrown: unknown, req, res, next) => {
  const error = toRegistryError(thrown);
  if (error.status >= 500) req.log.error({ err: thrown }, error.message);
  if (res.headersSent) {
    next(thrown);
    return;
  }
  // Headers of the failed response must not describe the error.
  for (const header of ['Content-Encoding', 'Content-Length', 'ETag', 'Vary']) res.removeHeader(header);
  res.setHeader('Cache-Control', 'no-store');
  if (error.code === 'UNAUTHORIZED') res.setHeader('WWW-Authenticate', 'Bearer realm="registry"');
  res
    .status(error.status)
    .json({ error: { code: error.code, message: error.message, requestId: req.id, ...error.details } });
};

/**
 * Authenticates the request by its token or by a session of the control room; `callerOf` returns the caller.
 * @throws RegistryError UNAUTHORIZED, WRITE_REFUSED
 */
export function authenticate(
  { credentials, room }: Pick<AppDeps, 'credentials' | 'room'>,
  { token }: AppOptions,
): RequestHandler {
  const callerByToken = callersByToken(credentials, token);
  const isLocalProgram = releaseAccess(undefined);

  async function callerBy(req: Request): Promise<Caller> {
    const { authorization = '' } = req.headers;
    const visitor = authorization === '' ? await room?.sessions.read(req) : undefined;
    if (visitor) return visitor;
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
    return callerByToken(bearer);
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
