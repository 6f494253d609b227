import type { RequestHandler } from 'express';
import type { AppDeps } from './deps.ts';
import { parseInput, splitWrite, writeSchema } from './input.ts';
import { pointerWrite } from './pointerWrite.ts';

/**
 * `POST /api/remotes/:name/rollback` `{expectedRevision?}`: back to the version that was live before; ends a canary.
 * It waits for no gate: that version was good.
 */
export const postRollback = (deps: AppDeps): RequestHandler =>
  pointerWrite(deps, 'rollback', (name, req) => {
    const { options } = splitWrite(parseInput(writeSchema, req.body ?? {}));
    return deps.board.rollBack(name, options);
  });
