import type { RequestHandler } from 'express';
import { z } from 'zod';
import { type AppDeps, parseInput, remoteNameOf } from './requests.ts';

export const historyQuerySchema = z.object({
  limit: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(1).max(1000))
    .default(50),
});

/** `GET /api/history?limit=50`: pointer changes of all remotes, newest first: who, when, why, before and after. */
export const getHistory =
  ({ board }: AppDeps): RequestHandler =>
  async (req, res) => {
    const { limit } = parseInput(historyQuerySchema, req.query);
    res.json({ changes: await board.readChanges({ limit }) });
  };

/** `GET /api/remotes/:name/history?limit=50`: pointer changes of one remote. */
export const getRemoteHistory =
  ({ board }: AppDeps): RequestHandler =>
  async (req, res) => {
    const { limit } = parseInput(historyQuerySchema, req.query);
    res.json({ changes: await board.readChanges({ limit, remote: remoteNameOf(req) }) });
  };
