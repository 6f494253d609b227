import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { AppDeps } from './deps.ts';
import { parseInput, revisionSchema, isNotModified } from './input.ts';

const queryNumber = z
  .string()
  .regex(/^\d{1,10}$/, 'must be a whole number')
  .transform(Number);
export const pointersQuerySchema = z.object({
  wait: queryNumber.pipe(z.number().max(60)).default(0),
  revision: queryNumber.pipe(revisionSchema).optional(),
});
const querySchema = pointersQuerySchema.refine(
  ({ wait, revision }) => wait === 0 || revision !== undefined,
  'wait needs revision=N, the last known revision',
);

/**
 * `GET /api/pointers`: what is live, with a strong ETag. Long polling with
 * `?wait=SECONDS&revision=N` (at most 60 s): the response waits while the pointers
 * are at revision N.
 */
export const getPointers =
  ({ board }: AppDeps): RequestHandler =>
  async (req, res) => {
    const { wait, revision } = parseInput(querySchema, req.query);
    const disconnected = new AbortController();
    res.once('close', () => disconnected.abort());
    const pointers =
      wait === 0 || revision === undefined
        ? await board.read()
        : await board.readAfter(revision, wait, disconnected.signal);
    if (disconnected.signal.aborted) return;

    const body = JSON.stringify(pointers);
    // Includes the content: after a restore from backup, a revision may recur with other pointers.
    const hash = createHash('sha256').update(body).digest('base64url').slice(0, 16);
    const etag = `"${pointers.revision}-${hash}"`;
    res.set({ 'Cache-Control': 'no-cache', ETag: etag });
    if (isNotModified(req, etag)) {
      res.status(304).end();
      return;
    }
    res.type('json').send(body);
  };
