import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import express, { type Request, Router } from 'express';
import type { GateAnswer, Provides } from '@forecourt/shared-contracts/slots/gate';
import { remoteNameSchema, versionSchema } from '@forecourt/shared-contracts/slots/release';
import type { Logger } from 'pino';
import { z } from 'zod';
import { sendError } from '../server/errors.ts';
import { infoOf } from '../server/requestContext.ts';
import { ReleaseError } from './registryClient.ts';
import { inTurns } from './trialTurns.ts';

/** What the outside may ask of the gate. */
export interface ReleaseGate {
  readonly provides: Provides;
  readonly tryOut: (name: string, version: string) => Promise<GateAnswer>;
}

export interface GateApiOptions {
  readonly REGISTRY_TOKEN?: string | undefined;
  readonly LOCAL_MODE: boolean;
}

const bodySchema = z.object({ remote: remoteNameSchema, version: versionSchema });

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const isLoopback = (address = ''): boolean => isIP(address) > 0 && /^(?:::ffff:)?127\.|^::1$/.test(address);
/** What browsers and proxies add: who sends them is no program of this machine's developer. */
const FOREIGN_HEADERS = ['origin', 'sec-fetch-site', 'forwarded', 'x-forwarded-for', 'via'];
const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/** With a token whoever presents it; without one, in local mode, programs of this machine; else nobody. */
function mayAsk(request: Request, { REGISTRY_TOKEN, LOCAL_MODE }: GateApiOptions): boolean {
  if (REGISTRY_TOKEN !== undefined) {
    const presented = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    return presented !== undefined && timingSafeEqual(digest(presented), digest(REGISTRY_TOKEN));
  }
  return (
    LOCAL_MODE &&
    isLoopback(request.socket.remoteAddress) &&
    LOCAL_HOST.test(request.headers.host ?? '') &&
    FOREIGN_HEADERS.every((name) => request.headers[name] === undefined)
  );
}

/**
 * `GET /releases/provides`: what releases are checked against.
 * `POST /releases/gate` `{remote, version}`: loads a published release that need
 * not be live, from the registry of this shell and nowhere else, and answers
 * every reason to refuse it. For holders of the registry's token.
 */
export function gateApi({ provides, tryOut }: ReleaseGate, logger: Logger, options: GateApiOptions): Router {
  const tryInTurn = inTurns(tryOut);
  const router = Router();
  router.get('/releases/provides', (_, response) => {
    response.set('Cache-Control', 'no-cache').json(provides);
  });
  router.post('/releases/gate', (request, response, next) => {
    const { requestId } = infoOf(request);
    if (mayAsk(request, options)) return next();
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
      const { requestId } = infoOf(request);
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
