import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { credentialNameSchema, RegistryError, scopeSchema } from '@forecourt/cli/release';
import { callerOf, RESERVED_NAMES } from './callers.ts';
import { credentialEvent } from '../log/events.ts';
import { type AppDeps, parseInput } from './requests.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export const credentialBodySchema = z.object({
  name: credentialNameSchema.refine((name) => !RESERVED_NAMES.includes(name), 'is reserved'),
  scopes: z.array(scopeSchema).min(1).max(50),
  /** Default: until it is revoked. */
  expiresInDays: z.number().int().min(1).max(3650).optional(),
});

export const exchangeBodySchema = z.object({ token: z.string().min(1).max(10_000) });

/** Those of CI runs are named after their subject. */
const nameOf = (req: Request): string => parseInput(z.string().min(1).max(100), req.params['credential']);

/** A response with a token must not be stored. */
const sendSecret = (res: Response, status: number, body: object): void => {
  res.status(status).set('Cache-Control', 'no-store').json(body);
};

/** `GET /api/credentials`: the credentials that the caller administers, without tokens. */
export const getCredentials =
  ({ credentials }: AppDeps): RequestHandler =>
  async (_req, res) => {
    sendSecret(res, 200, { credentials: await credentials.list(callerOf(res)) });
  };

/** `GET /api/credentials/self`: who the caller is and what it may do. */
export const getOwnCredential: RequestHandler = (_req, res) => {
  sendSecret(res, 200, callerOf(res));
};

/** `POST /api/credentials` `{name, scopes, expiresInDays?}`: 201 with the token, which is shown once. */
export const postCredential =
  ({ credentials, log }: AppDeps): RequestHandler =>
  async (req, res) => {
    const { expiresInDays, ...wanted } = parseInput(credentialBodySchema, req.body);
    const expiresAt =
      expiresInDays === undefined ? undefined : new Date(Date.now() + expiresInDays * DAY_MS).toISOString();
    const issued = await credentials.create(callerOf(res), { ...wanted, expiresAt });
    await log.record(credentialEvent('create-credential', callerOf(res).name, issued.credential));
    req.log.info({ credential: issued.credential, by: callerOf(res).name }, 'credential created');
    sendSecret(res, 201, issued);
  };

/**
 * `POST /api/credentials/exchange` `{token}`: 201 with a credential for 15 minutes, for the OpenID Connect token of a
 * trusted CI run.
 */
export const postExchange =
  ({ credentials, publishers, log }: AppDeps): RequestHandler =>
  async (req, res) => {
    const { token } = parseInput(exchangeBodySchema, req.body);
    if (!publishers) throw new RegistryError('FORBIDDEN', 'this registry has no trusted publishers');
    const issued = await credentials.exchange(await publishers.verify(token));
    const { name } = issued.credential;
    await log.record(credentialEvent('exchange-token', name, issued.credential));
    req.log.info({ credential: issued.credential }, 'CI token exchanged');
    sendSecret(res, 201, issued);
  };

/** `POST /api/credentials/:credential/rotate`: a new token; the old one stops working at once. */
export const postRotate =
  ({ credentials, log }: AppDeps): RequestHandler =>
  async (req, res) => {
    const issued = await credentials.rotate(callerOf(res), nameOf(req));
    await log.record(credentialEvent('rotate-credential', callerOf(res).name, issued.credential));
    req.log.info({ credential: issued.credential, by: callerOf(res).name }, 'credential rotated');
    sendSecret(res, 200, issued);
  };

/** `POST /api/credentials/:credential/revoke`: removes the credential; its token stops working at once. */
export const postRevoke =
  ({ credentials, log }: AppDeps): RequestHandler =>
  async (req, res) => {
    const credential = await credentials.revoke(callerOf(res), nameOf(req));
    await log.record(credentialEvent('revoke-credential', callerOf(res).name, credential));
    req.log.info({ credential, by: callerOf(res).name }, 'credential revoked');
    sendSecret(res, 200, { credential });
  };
