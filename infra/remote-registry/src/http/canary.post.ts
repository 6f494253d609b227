import { versionSchema } from '@forecourt/shared-contracts/slots/release';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { AppDeps } from './deps.ts';
import { optionalRevisionSchema, parseInput } from './input.ts';
import { pointerWrite } from './pointerWrite.ts';

const bodySchema = optionalRevisionSchema.extend({
  version: versionSchema,
  weight: z.number().min(0).max(100),
});

/** `POST /api/remotes/:name/canary` `{version, weight, expectedRevision?}`: weight in percent, 0 ends it. */
export const postCanary = (deps: AppDeps): RequestHandler =>
  pointerWrite(deps, 'canary', (name, req) => {
    const { expectedRevision, ...canary } = parseInput(bodySchema, req.body);
    return deps.board.startCanary(name, canary, expectedRevision);
  });
