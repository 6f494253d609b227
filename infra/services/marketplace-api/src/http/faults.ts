import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { CALLS, type CallDefinition, type CallName } from '@forecourt/upstream/calls';
import { type RequestHandler, type Response, Router, json } from 'express';
import { z } from 'zod';
import { ApiError } from './middleware.ts';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/** Makes a call, or all calls below a path, fail `times` times or until cleared. */
const faultSchema = z
  .object({
    /** Name in the table of calls, e.g. 'consumerRatings'; stands for all calls with the same path and method. */
    call: z.enum(Object.keys(CALLS) as [CallName, ...CallName[]]).optional(),
    path: z.string().startsWith('/').max(500).optional(),
    /** For a path; all methods by default. */
    method: z.enum(METHODS).optional(),
    /** Applied before everything else. */
    delayMs: z.number().int().min(0).max(120_000).default(0),
    /** Responds with this status. */
    status: z.number().int().min(400).max(599).optional(),
    /** Closes the connection, sends one byte at a time forever, or sends truncated JSON. */
    mode: z.enum(['drop', 'drip', 'invalidBody']).optional(),
    /** ms between two bytes in drip mode. */
    dripMs: z.number().int().min(1).max(60_000).default(100),
    times: z.number().int().positive().optional(),
  })
  .refine(
    ({ call, path }) => (call === undefined) !== (path === undefined),
    'exactly one of call and path is required',
  );
type Fault = z.infer<typeof faultSchema> & { readonly id: number };

/** How specifically a fault matches a request: a longer path is more specific; -1 for no match. */
function closeness(
  { call, path = '', method }: Fault,
  request: { readonly method: string; readonly path: string },
): number {
  if (method !== undefined && method !== request.method) return -1;
  if (call === undefined) return request.path.startsWith(path) ? path.length : -1;
  const definition: CallDefinition = CALLS[call];
  const pattern = definition.path
    .split(/\{\w+\}/)
    .map((part) => RegExp.escape(part))
    .join('[^/]+');
  const isMeant = definition.method === request.method && new RegExp(`^${pattern}$`).test(request.path);
  return isMeant ? Infinity : -1;
}

/** White space before JSON is valid, so only a deadline for the whole body helps. */
async function drip(response: Response, pauseMs: number): Promise<void> {
  response.status(200).set('Content-Type', 'application/json');
  while (!response.destroyed) {
    response.write(' ');
    await wait(pauseMs);
  }
}

const TRUNCATED = '{"listings": [{"id": ';
const injected = (status: number) => new ApiError(status, 'INJECTED_FAULT', 'Injected fault');

async function apply(fault: Fault, response: Response): Promise<'answered' | 'passed'> {
  if (fault.delayMs > 0) await wait(fault.delayMs);
  if (fault.mode === 'drop') response.req.socket.destroy();
  else if (fault.mode === 'drip') await drip(response, fault.dripMs);
  else if (fault.mode === 'invalidBody') response.type('json').send(TRUNCATED);
  else if (fault.status !== undefined) throw injected(fault.status);
  else return 'passed';
  return 'answered';
}

/** The response that a fault gives to a call of a batch, which has no connection of its own; undefined without one. */
export type PartFaults = (
  path: string,
  closed: AbortSignal,
) => Promise<
  { readonly status: number; readonly headers: Record<string, string>; readonly body: string } | undefined
>;

async function applyToPart(fault: Fault, closed: AbortSignal): ReturnType<PartFaults> {
  if (fault.delayMs > 0) await wait(fault.delayMs);
  // An endless body never is a response; it ends with the batch.
  if (fault.mode === 'drip' && !closed.aborted) await once(closed, 'abort');
  if (fault.mode === 'drop' || fault.mode === 'drip') return { status: 0, headers: {}, body: '' };
  if (fault.mode === 'invalidBody') return { status: 200, headers: {}, body: TRUNCATED };
  if (fault.status !== undefined) throw injected(fault.status);
  return undefined;
}

/**
 * Fault injection, in local mode: POST /__faults adds a fault and returns its
 * id, GET lists faults, DELETE clears all or one by id. A call takes precedence
 * over a path, a longer path over a shorter one, a later fault over an earlier.
 */
export function createFaults(): { routes: Router; inject: RequestHandler; injectPart: PartFaults } {
  let faults: Fault[] = [];
  let count = 0;
  const routes = Router();
  routes.post('/__faults', json({ limit: '4kb' }), (request, response) => {
    const read = faultSchema.safeParse(request.body);
    if (!read.success) throw new ApiError(400, 'INVALID_BODY', z.prettifyError(read.error));
    const fault = { ...read.data, id: ++count };
    faults.unshift(fault);
    response.status(201).json(fault);
  });
  routes.get('/__faults', (_, response) => {
    response.json({ faults });
  });
  routes.delete('/__faults', (_, response) => {
    faults = [];
    response.status(204).end();
  });

  routes.delete('/__faults/:id', (request, response) => {
    const id = Number(request.params.id);
    if (!faults.some((fault) => fault.id === id))
      throw new ApiError(404, 'FAULT_NOT_FOUND', 'Fault not found');
    faults = faults.filter((fault) => fault.id !== id);
    response.status(204).end();
  });

  /** The fault of a request, which counts as one of its times. */
  const take = (request: { readonly method: string; readonly path: string }): Fault | undefined => {
    const [closest] = faults
      .map((fault) => ({ fault, close: closeness(fault, request) }))
      .filter(({ close }) => close >= 0)
      // Infinity - Infinity is NaN and would break the order of equal faults.
      .sort((a, b) => (a.close === b.close ? 0 : b.close - a.close));
    const fault = closest?.fault;
    if (fault?.times !== undefined) {
      fault.times--;
      if (fault.times === 0) faults = faults.filter((other) => other !== fault);
    }
    return fault;
  };
  const inject: RequestHandler = async (request, response, next) => {
    const fault = take(request);
    if (!fault || (await apply(fault, response)) === 'passed') next();
  };
  const injectPart: PartFaults = async (path, closed) => {
    const fault = take({ method: 'GET', path });
    return fault && applyToPart(fault, closed);
  };
  return { routes, inject, injectPart };
}
