import { versionSchema } from '@forecourt/shared-contracts/slots/release';
import type { RequestHandler } from 'express';
import type { AppDeps } from './deps.ts';
import { parseInput, splitWrite, writeSchema } from './input.ts';
import { pointerWrite } from './pointerWrite.ts';

const bodySchema = writeSchema.extend({ version: versionSchema.optional() });

/** `POST /api/remotes/:name/promote` `{version?, expectedRevision?}`: live for everybody; the canary's version by default. */
export const postPromote = (deps: AppDeps): RequestHandler =>
  pointerWrite(deps, 'promote', (name, req) => {
    const { rest, options } = splitWrite(parseInput(bodySchema, req.body ?? {}));
    return deps.board.promote(name, rest.version, options);
  });
