import { setTimeout as wait } from 'node:timers/promises';
import type { RequestHandler, Response } from 'express';
import { Router, json } from 'express';
import { z } from 'zod';
import { ApiError } from './apiError.ts';

/** What goes wrong with the calls below a path, for the next `times` calls or until cleared. */
const faultSchema = z.object({
  path: z.string().startsWith('/').max(500),
  /** Waits before anything else. */
  delayMs: z.number().int().min(0).max(120_000).default(0),
  /** Answers with this status instead. */
  status: z.number().int().min(400).max(599).optional(),
  /** Closes the connection, answers one byte at a time for ever, or sends JSON that breaks off. */
  mode: z.enum(['drop', 'drip', 'invalidBody']).optional(),
  times: z.number().int().positive().optional(),
});
type Fault = z.infer<typeof faultSchema>;

const DRIP_MS = 100;

/** White space before JSON is valid, so only a deadline on the whole body helps. */
async function drip(response: Response): Promise<void> {
  response.status(200).set('Content-Type', 'application/json');
  while (!response.destroyed) {
    response.write(' ');
    await wait(DRIP_MS);
  }
}

async function apply(fault: Fault, response: Response): Promise<'answered' | 'passed'> {
  if (fault.delayMs > 0) await wait(fault.delayMs);
  if (fault.mode === 'drop') response.req.socket.destroy();
  else if (fault.mode === 'drip') await drip(response);
  else if (fault.mode === 'invalidBody') response.type('json').send('{"listings": [{"id": ');
  else if (fault.status !== undefined)
    throw new ApiError(fault.status, 'INJECTED_FAULT', 'A fault was asked for');
  else return 'passed';
  return 'answered';
}

/**
 * Fault injection of local mode: POST /__faults adds one, GET lists, DELETE
 * clears. The longest matching path prefix wins, the latest of equals.
 */
export function createFaults(): { routes: Router; inject: RequestHandler } {
  let faults: Fault[] = [];
  const routes = Router();
  routes.post('/__faults', json({ limit: '4kb' }), (request, response) => {
    const read = faultSchema.safeParse(request.body);
    if (!read.success) throw new ApiError(400, 'INVALID_BODY', z.prettifyError(read.error));
    faults.unshift(read.data);
    response.status(201).json(read.data);
  });
  routes.get('/__faults', (_, response) => {
    response.json({ faults });
  });
  routes.delete('/__faults', (_, response) => {
    faults = [];
    response.status(204).end();
  });

  const inject: RequestHandler = async (request, response, next) => {
    const [fault] = faults
      .filter(({ path }) => request.path.startsWith(path))
      .sort((a, b) => b.path.length - a.path.length);
    if (!fault) {
      next();
      return;
    }
    if (fault.times !== undefined) {
      fault.times--;
      if (fault.times === 0) faults = faults.filter((other) => other !== fault);
    }
    if ((await apply(fault, response)) === 'passed') next();
  };
  return { routes, inject };
}
