import type { RequestHandler } from 'express';
import { z } from 'zod';
import { releaseLabel } from '@forecourt/cli/release';
import { collectGarbage } from '../releases/garbage.ts';
import type { AppDeps } from './deps.ts';
import { parseInput } from './input.ts';

export const garbageBodySchema = z.object({
  keepDays: z.number().min(1).max(3650).default(30),
  keepVersions: z.number().int().min(1).max(1000).default(5),
  /** Removal must be requested explicitly. */
  dryRun: z.boolean().default(true),
});

/**
 * `POST /api/gc` `{keepDays = 30, keepVersions = 5, dryRun = true}`: removes old
 * releases that no pointer names or recently named and that are not among the
 * newest; returns `{removed: [{name, version, publishedAt}], dryRun}`.
 */
export const postGarbage =
  (deps: AppDeps): RequestHandler =>
  async (req, res) => {
    const { dryRun, ...rules } = parseInput(garbageBodySchema, req.body ?? {});
    const removed = await collectGarbage(deps, { ...rules, isDryRun: dryRun }, new Date());
    if (!dryRun) req.log.info({ releases: removed.map(releaseLabel) }, 'releases removed');
    res.json({ removed, dryRun });
  };
