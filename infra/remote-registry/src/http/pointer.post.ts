import { pointersSchema } from '@forecourt/shared-contracts/slots/release';
import type { RequestHandler } from 'express';
import type { AppDeps } from './deps.ts';
import { parseInput, revisionSchema } from './input.ts';
import { pointerWrite } from './pointerWrite.ts';

const bodySchema = pointersSchema.shape.remotes.valueType.extend({ expectedRevision: revisionSchema });

/** `POST /api/remotes/:name/pointer` `{live, canary?, expectedRevision}`: the whole pointer by compare-and-set. */
export const postPointer = (deps: AppDeps): RequestHandler =>
  pointerWrite(deps, 'pointer', (name, req) => {
    const { expectedRevision, ...pointer } = parseInput(bodySchema, req.body);
    return deps.board.pointTo(name, pointer, expectedRevision);
  });
