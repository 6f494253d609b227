import { pointersSchema } from '@forecourt/shared-contracts/slots/release';
import type { RequestHandler } from 'express';
import type { AppDeps } from './deps.ts';
import { passGate } from './gatedWrite.ts';
import { gatedWriteSchema, parseInput, revisionSchema } from './input.ts';
import { pointerWrite } from './pointerWrite.ts';

export const pointerBodySchema = gatedWriteSchema.extend({
  ...pointersSchema.shape.remotes.valueType.shape,
  expectedRevision: revisionSchema,
});

/** `POST /api/remotes/:name/pointer` `{live, canary?, expectedRevision, skipGate?}`: the whole pointer by compare-and-set. */
export const postPointer = (deps: AppDeps): RequestHandler =>
  pointerWrite(deps, 'pointer', async (name, req) => {
    const { content, options } = await passGate(
      deps,
      name,
      parseInput(pointerBodySchema, req.body),
      ({ live, canary }) => [live, canary?.version],
    );
    return deps.board.pointTo(name, content, options);
  });
