import { versionSchema } from '@forecourt/shared-contracts/slots/release';
import type { RequestHandler } from 'express';
import type { AppDeps } from './deps.ts';
import { optionalRevisionSchema, parseInput } from './input.ts';
import { pointerWrite } from './pointerWrite.ts';

const bodySchema = optionalRevisionSchema.extend({ version: versionSchema.optional() });

/** `POST /api/remotes/:name/promote` `{version?, expectedRevision?}`: live for everybody; the canary's version by default. */
export const postPromote = (deps: AppDeps): RequestHandler =>
  pointerWrite(deps, 'promote', (name, req) => {
    const { version, expectedRevision } = parseInput(bodySchema, req.body ?? {});
    return deps.board.promote(name, version, expectedRevision);
  });
