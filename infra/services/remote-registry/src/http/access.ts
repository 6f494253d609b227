import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { credentialNameSchema, scopeSchema } from '@forecourt/release-kit/credentials';
import { RegistryError } from '@forecourt/release-kit/registryError';
import { publicKeySchema, signingKeySchema } from '@forecourt/release-kit/signatures';
import { type AppDeps, callerOf, parseInput, queryNumber, releaseIdOf, remoteNameOf } from './requests.ts';
import { RESERVED_NAMES } from '../access/credentials.ts';
import { credentialEvent, keyEvent } from '../log/transparencyLog.ts';
import { remoteNameSchema } from '@forecourt/releases/manifest';

export const keyBodySchema = z.object({ remote: remoteNameSchema, publicKey: publicKeySchema });

/** `GET /api/keys`: the public keys that sign the releases of each remote. */
export const getKeys =
  ({ keys }: AppDeps): RequestHandler =>
  async (_req, res) => {
    res.json({ keys: await keys.list() });
  };

/** `POST /api/keys` `{remote, publicKey}`: from now on, releases of the remote must be signed. */
export const postKey =
  ({ keys, log }: AppDeps): RequestHandler =>
  async (req, res) => {
    const key = await keys.add(callerOf(res), parseInput(keyBodySchema, req.body));
    await log.record(keyEvent('add-key', callerOf(res).name, key));
    req.log.info({ key, by: callerOf(res).name }, 'key added');
    res.status(201).json({ key });
  };

/** `POST /api/keys/:name/:keyId/remove`: releases that it signed stay. */
export const postKeyRemoval =
  ({ keys, log }: AppDeps): RequestHandler =>
  async (req, res) => {
    const keyId = parseInput(signingKeySchema.shape.keyId, req.params['keyId']);
    const key = await keys.remove(callerOf(res), { remote: remoteNameOf(req), keyId });
    await log.record(keyEvent('remove-key', callerOf(res).name, key));
    req.log.info({ key, by: callerOf(res).name }, 'key removed');
    res.json({ key });
  };

/** `GET /api/releases/:name/:version/signature`: the signed text of the manifest, its signature and key id. */
export const getSignature =
  ({ releases }: AppDeps): RequestHandler =>
  async (req, res) => {
    const id = releaseIdOf(req);
    const release = await releases.findRelease(id);
    if (!release) throw new RegistryError('UNKNOWN_RELEASE', `${id.name}@${id.version} is not published`);
    if (!release.signature) throw new RegistryError('NOT_SIGNED', `${id.name}@${id.version} is not signed`);
    res.json(release.signature);
  };

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

export const logQuerySchema = z.object({
  after: queryNumber.default(0),
  limit: queryNumber.pipe(z.number().min(1).max(1000)).default(100),
});

/** `GET /api/log?after=0&limit=100`: entries as the texts that their hashes cover, oldest first. */
export const getLog =
  ({ log }: AppDeps): RequestHandler =>
  async (req, res) => {
    const { after, limit } = parseInput(logQuerySchema, req.query);
    res.set('Cache-Control', 'no-cache').json({ entries: await log.read(after, limit) });
  };

/** Refuses changes that the log could not record. */
export const requiresLog =
  ({ log }: Pick<AppDeps, 'log'>): RequestHandler =>
  async (_req, _res, next) => {
    await log.mustBeWritable();
    next();
  };
