import express, { Router } from 'express';
import { releaseAccess } from '@forecourt/shared-contracts/slots/access';
import type { GateResult, Provides } from '@forecourt/shared-contracts/slots/gate';
import { remoteNameSchema, versionSchema } from '@forecourt/shared-contracts/slots/release';
import type { Logger } from 'pino';
import { z } from 'zod';
import { sendError } from '../http/responses.ts';
import { contextOf } from '../http/requestContext.ts';
import { ReleaseError } from '../releases/registryClient.ts';

/** What the outside may ask of the gate. */
export interface ReleaseGate {
  readonly provides: Provides;
  readonly tryOut: (name: string, version: string) => Promise<GateResult>;
}

export interface GateApiOptions {
  readonly REGISTRY_TOKEN?: string | undefined;
  readonly LOCAL_MODE: boolean;
}

const bodySchema = z.object({ remote: remoteNameSchema, version: versionSchema });

/**
 * `GET /releases/provides`: what releases are checked against.
 * `POST /releases/gate` `{remote, version}`: loads a published release that need
 * not be live, from the registry of this shell and nowhere else, and answers
 * every reason to refuse it. For holders of the registry's token.
 */
export function gateApi({ provides, tryOut }: ReleaseGate, logger: Logger, options: GateApiOptions): Router {
  const tryInTurn = inTurns(tryOut);
  const { REGISTRY_TOKEN, LOCAL_MODE } = options;
  // Without a token programs of this machine may ask, in local mode alone.
  const mayAsk = REGISTRY_TOKEN === undefined && !LOCAL_MODE ? () => false : releaseAccess(REGISTRY_TOKEN);
  const router = Router();
  router.get('/releases/provides', (_, response) => {
    response.set('Cache-Control', 'no-cache').json(provides);
  });
  router.post('/releases/gate', (request, response, next) => {
    const { requestId } = contextOf(request);
    if (mayAsk(request)) return next();
    response.set('WWW-Authenticate', 'Bearer realm="releases"');
    return sendError(
      response,
      401,
      'UNAUTHORIZED',
      'the gate needs the registry token as a bearer token',
      requestId,
    );
  });
  router.post(
    '/releases/gate',
    express.json({ limit: '1kb', type: () => true }),
    async (request, response) => {
      const { requestId } = contextOf(request);
      const body = bodySchema.safeParse(request.body);
      if (!body.success)
        return sendError(response, 400, 'INVALID_BODY', 'remote and version are needed', requestId);
      const trial = tryInTurn(body.data.remote, body.data.version);
      if (!trial) {
        response.set('Retry-After', '5');
        return sendError(
          response,
          429,
          'TOO_MANY_REQUESTS',
          'too many releases wait for the gate',
          requestId,
        );
      }
      try {
        const answer = await trial;
        logger.info({ requestId, ...answer, renders: answer.renders.length }, 'release tried');
        return response.set('Cache-Control', 'no-store').json(answer);
      } catch (error) {
        if (!(error instanceof ReleaseError)) throw error;
        return sendError(response, 503, error.code, error.message, requestId);
      }
    },
  );
  return router;
}

/** Releases that may be waiting for their turn; each trial takes a thread and some seconds. */
const MAX_WAITING = 8;

/**
 * One trial after the other; who asks for a release that is being tried, or
 * waits to be, shares its answer. Undefined when too many wait already.
 */
export function inTurns(tryOut: (name: string, version: string) => Promise<GateResult>) {
  const trials = new Map<string, Promise<GateResult>>();
  let last: Promise<unknown> = Promise.resolve();
  return (name: string, version: string): Promise<GateResult> | undefined => {
    const id = `${name}@${version}`;
    const known = trials.get(id);
    if (known) return known;
    // One of them is at work.
    if (trials.size > MAX_WAITING) return undefined;
    const trial = last.then(() => tryOut(name, version)).finally(() => trials.delete(id));
    trials.set(id, trial);
    last = trial.catch(() => undefined);
    return trial;
  };
}
