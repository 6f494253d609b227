import { batchRequestSchema, BATCH_PATH_HEADER, type batchPartSchema } from '@forecourt/upstream/batch';
import type { Step } from '@forecourt/service-kit/tracing';
import { json, type Request, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import type { PartFaults } from './faults.ts';
import { ApiError, errorResponse, limitUrlLength } from './middleware.ts';
import { type ReadResponse, type ReadTable, splitUrl } from './reads.ts';

const BATCH_PATH = '/batch';
const MAX_BODY = '256kb';

type Part = z.infer<typeof batchRequestSchema>['calls'][number];

/** `status` 0 stands for a connection that was closed. */
type PartResponse = ReadResponse & { readonly route: string };

export interface BatchDeps {
  readonly reads: ReadTable;
  /** Injected faults, in local mode. */
  readonly faults?: PartFaults | undefined;
  /** Counts one call like a request of its own. */
  readonly timeCall: (route: string, status: number, seconds: number) => void;
  readonly step: Step;
}

/** Tells clients that they may send batches. */
export const advertiseBatches: RequestHandler = (_, response, next) => {
  response.setHeader(BATCH_PATH_HEADER, BATCH_PATH);
  next();
};

/** Writes a response as soon as it is there: one line of JSON, then as many bytes of body as it says. */
function writePart(response: Response, id: number, { status, headers, body }: PartResponse): void {
  if (response.destroyed) return;
  const bytes = Buffer.from(body);
  const head: z.infer<typeof batchPartSchema> = { id, status, headers: { ...headers }, bytes: bytes.length };
  response.write(Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), bytes]));
}

/** Finds the read for a URL, and the request to pass to it. @throws ApiError 421 for a path that no batch may contain */
function findRead(reads: ReadTable, url: string) {
  limitUrlLength(url);
  const { pathname, query } = splitUrl(url);
  const match = reads.find(pathname);
  if (!match) throw new ApiError(421, 'NOT_IN_BATCHES', 'This path can’t be requested in a batch');
  return { pathname, read: match.read, request: { query, params: match.params } };
}

/** Whether the count at a URL is as high as a call requires. */
async function isMet({ countUrl, atLeast }: NonNullable<Part['onlyIf']>, reads: ReadTable): Promise<boolean> {
  const { read, request } = findRead(reads, countUrl);
  const body = await read.read({ ...request, isMinimal: true });
  const { totalResultCount = 0 } = body as { totalResultCount?: number };
  return totalResultCount >= atLeast;
}

async function respond(
  { url, headers, onlyIf }: Part,
  { reads, faults }: BatchDeps,
  { id, log }: Request,
  closed: AbortSignal,
): Promise<PartResponse> {
  let route = 'unmatched';
  try {
    if (onlyIf && !(await isMet(onlyIf, reads))) return { status: 412, headers: {}, body: '', route };
    const { pathname, read, request } = findRead(reads, url);
    route = read.path;
    const fault = await faults?.(pathname, closed);
    if (fault) return { ...fault, route };
    const conditions = { prefer: headers['prefer'], ifNoneMatch: headers['if-none-match'] };
    return { ...(await reads.run(read, request, conditions)), route };
  } catch (error) {
    const { status, headers: errorHeaders, body } = errorResponse(error, id as string);
    if (status >= 500) log.error({ err: error as Error, route }, 'call failed');
    return { status, headers: errorHeaders, body: JSON.stringify(body), route };
  }
}

const CLOSED = 'the response was closed';

/** Aborted when the client closes the connection or the response has ended. */
function closedSignal(response: Response): AbortSignal {
  const closing = new AbortController();
  // The default reason is an error with a stack, which takes longer than a small call.
  response.once('close', () => closing.abort(CLOSED));
  return closing.signal;
}

/**
 * An index that is being loaded would find nothing, so reads get 503 STARTING: a proxy then asks another replica. Writes
 * need no index.
 */
export const refuseReadsUntil =
  (isLoaded: () => boolean): RequestHandler =>
  ({ method, path }, _, next) => {
    if (isLoaded() || (method !== 'GET' && path !== BATCH_PATH)) return next();
    next(new ApiError(503, 'STARTING', 'The listings are being loaded; please try again'));
  };

/**
 * `POST /batch`: several reads in one request. They run in the order of the request, and each response is sent as
 * soon as it is there, so that a slow call holds no other one.
 */
export function batchRoutes(deps: BatchDeps): Router {
  const router = Router();
  router.post(BATCH_PATH, json({ limit: MAX_BODY }), async (request: Request, response: Response) => {
    const parsed = batchRequestSchema.safeParse(request.body);
    if (!parsed.success) throw new ApiError(400, 'INVALID_BODY', z.prettifyError(parsed.error));
    const closed = closedSignal(response);
    response.set({ 'Content-Type': 'application/octet-stream', 'Cache-Control': 'no-store' });
    const { calls } = parsed.data;
    response.locals['calls'] = await Promise.all(
      calls.map(async (call, id) => {
        const startedAt = performance.now();
        const name = `call ${call.url.replace(/\?.*$/s, '')}`;
        const result = await deps.step(name, () => respond(call, deps, request, closed));
        const ms = performance.now() - startedAt;
        deps.timeCall(result.route, result.status, ms / 1000);
        writePart(response, id, result);
        return { route: result.route, status: result.status, ms: Math.round(ms) };
      }),
    );
    response.end();
  });
  return router;
}
