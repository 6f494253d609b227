import express, { type RequestHandler, Router } from 'express';
import { releaseAccess } from '@forecourt/releases/access';
import type { GateResult, Provides } from '@forecourt/releases/gate';
import type { GatePage } from '@forecourt/releases/gatePages';
import { remoteNameSchema, versionSchema } from '@forecourt/releases/manifest';
import type { shellReportSchema } from '@forecourt/releases/shellReport';
import type { Logger } from '@forecourt/service-kit/log';
import { z } from 'zod';
import { sendError } from './responses.ts';
import { contextOf } from './requestContext.ts';
import { ReleaseError } from '../releases/registryClient.ts';

/** The gate as an HTTP API. */
export interface ReleaseGate {
  readonly provides: Provides;
  readonly tryOut: (name: string, version: string) => Promise<GateResult>;
  /** The pages over which it renders the slots of releases. */
  readonly pages: () => readonly GatePage[];
}

/** With what this shell serves and how it fares. */
interface ReportingGate extends ReleaseGate {
  readonly report: () => z.infer<typeof shellReportSchema>;
}

export interface GateApiOptions {
  readonly GATE_TOKEN?: string | undefined;
  readonly LOCAL_MODE: boolean;
}

const bodySchema = z.object({ remote: remoteNameSchema, version: versionSchema });

/**
 * `GET /releases/provides`: what releases are checked against.
 * `GET /releases/report`: what this shell serves and how it fares.
 * `GET /releases/recorded-pages`: the pages over which releases are tried, for a gate with a browser.
 * `POST /releases/gate` `{remote, version}`: loads a published release from this
 * shell's registry and returns every reason to refuse it. The last three require GATE_TOKEN.
 */
export function gateApi(
  { provides, report, tryOut, pages }: ReportingGate,
  logger: Logger,
  options: GateApiOptions,
): Router {
  const enqueue = createTrialQueue(tryOut);
  const { GATE_TOKEN, LOCAL_MODE } = options;
  // In local mode the gate is open to programs on this machine.
  const isAuthorized = GATE_TOKEN === undefined && !LOCAL_MODE ? () => false : releaseAccess(GATE_TOKEN);
  const router = Router();
  router.get('/releases/provides', (_, response) => {
    response.set('Cache-Control', 'no-cache').json(provides);
  });
  const authorize: RequestHandler = (request, response, next) => {
    if (isAuthorized(request)) return next();
    response.set('WWW-Authenticate', 'Bearer realm="releases"');
    return sendError(response, 401, 'UNAUTHORIZED', 'the gate requires GATE_TOKEN as a bearer token');
  };
  router.get('/releases/report', authorize, (_, response) => {
    response.set('Cache-Control', 'no-store').json(report());
  });
  router.get('/releases/recorded-pages', authorize, (_, response) => {
    response.set('Cache-Control', 'no-store').json(pages());
  });
  router.post(
    '/releases/gate',
    authorize,
    express.json({ limit: '1kb', type: () => true }),
    async (request, response) => {
      const { requestId } = contextOf(request);
      const body = bodySchema.safeParse(request.body);
      if (!body.success) return sendError(response, 400, 'INVALID_BODY', 'remote and version are required');
      const trial = enqueue(body.data.remote, body.data.version);
      if (!trial) {
        response.set('Retry-After', '5');
        return sendError(response, 429, 'TOO_MANY_REQUESTS', 'too many releases are waiting for the gate');
      }
      try {
        const result = await trial;
        logger.info({ requestId, ...result, renders: result.renders.length }, 'release tried');
        return response.set('Cache-Control', 'no-store').json(result);
      } catch (error) {
        if (!(error instanceof ReleaseError)) throw error;
        return sendError(response, 503, error.code, error.message);
      }
    },
  );
  return router;
}

/** Queued trials; each takes a thread and some seconds. */
const MAX_QUEUED = 8;

/**
 * Runs trials sequentially; concurrent requests for one release share its result.
 * Undefined if the queue is full.
 */
export function createTrialQueue(tryOut: (name: string, version: string) => Promise<GateResult>) {
  const trials = new Map<string, Promise<GateResult>>();
  let last: Promise<unknown> = Promise.resolve();
  return (name: string, version: string): Promise<GateResult> | undefined => {
    const id = `${name}@${version}`;
    const queued = trials.get(id);
    if (queued) return queued;
    // One trial is running, the others are queued.
    if (trials.size > MAX_QUEUED) return undefined;
    const trial = last.then(() => tryOut(name, version)).finally(() => trials.delete(id));
    trials.set(id, trial);
    last = trial.catch(() => undefined);
    return trial;
  };
}
