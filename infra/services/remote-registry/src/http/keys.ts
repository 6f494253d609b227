import type { RequestHandler } from 'express';
import { z } from 'zod';
import { publicKeySchema, RegistryError, signingKeySchema } from '@forecourt/cli/release';
import { remoteNameSchema } from '@forecourt/shared-contracts/slots/release';
import { keyEvent } from '../log/events.ts';
import { callerOf } from './callers.ts';
import { type AppDeps, parseInput, releaseIdOf, remoteNameOf } from './requests.ts';

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
