import { versionSchema } from '@forecourt/shared-contracts/slots/release';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { AppDeps } from './deps.ts';
import { parseInput, splitWrite, writeSchema } from './input.ts';
import { pointerWrite } from './pointerWrite.ts';

/** There are 10,000 buckets of visitors, so a weight has at most two decimals. */
const bodySchema = writeSchema.extend({
  version: versionSchema,
  weight: z.number().min(0).max(100).multipleOf(0.01),
});

/** `POST /api/remotes/:name/canary` `{version, weight, expectedRevision?, by?, why?}`: weight in percent, 0 ends it. */
export const postCanary = (deps: AppDeps): RequestHandler =>
  pointerWrite(deps, 'canary', (name, req) => {
    const { rest, options } = splitWrite(parseInput(bodySchema, req.body));
    return deps.board.startCanary(name, rest, options);
  });
