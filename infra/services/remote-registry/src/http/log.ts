import type { RequestHandler } from 'express';
import { z } from 'zod';
import { type AppDeps, parseInput, queryNumber } from './requests.ts';

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
