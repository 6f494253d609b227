import { versionSchema } from '@forecourt/shared-contracts/slots/release';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { AppDeps } from './deps.ts';
import { passGate } from './gatedWrite.ts';
import { gatedWriteSchema, parseInput } from './input.ts';
import { pointerWrite } from './pointerWrite.ts';

/** There are 10,000 buckets of visitors, so a weight has at most two decimals. */
export const canaryBodySchema = gatedWriteSchema.extend({
  version: versionSchema,
  weight: z.number().min(0).max(100).multipleOf(0.01),
});

/**
 * `POST /api/remotes/:name/canary` `{version, weight, expectedRevision?, by?, why?, skipGate?}`: weight in percent, 0
 * ends it, which no gate holds up.
 */
export const postCanary = (deps: AppDeps): RequestHandler =>
  pointerWrite(deps, 'canary', async (name, req) => {
    const { content, options } = await passGate(
      deps,
      name,
      parseInput(canaryBodySchema, req.body),
      ({ version, weight }) => (weight > 0 ? [version] : []),
    );
    return deps.board.startCanary(name, content, options);
  });
