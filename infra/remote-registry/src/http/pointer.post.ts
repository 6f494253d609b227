import { pointersSchema } from '@forecourt/shared-contracts/slots/release';
import type { RequestHandler } from 'express';
import type { AppDeps } from './deps.ts';
import { parseInput, revisionSchema, splitWrite, writeSchema } from './input.ts';
import { pointerWrite } from './pointerWrite.ts';

const bodySchema = writeSchema.extend({
  ...pointersSchema.shape.remotes.valueType.shape,
  expectedRevision: revisionSchema,
});

/** `POST /api/remotes/:name/pointer` `{live, canary?, expectedRevision}`: the whole pointer by compare-and-set. */
export const postPointer = (deps: AppDeps): RequestHandler =>
  pointerWrite(deps, 'pointer', (name, req) => {
    const { rest, options } = splitWrite(parseInput(bodySchema, req.body));
    return deps.board.pointTo(name, rest, options);
  });
