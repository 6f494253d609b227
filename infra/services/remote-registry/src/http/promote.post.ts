import { versionSchema } from '@forecourt/shared-contracts/slots/release';
import type { RequestHandler } from 'express';
import type { AppDeps } from './deps.ts';
import { passGate } from './gatedWrite.ts';
import { gatedWriteSchema, parseInput } from './input.ts';
import { pointerWrite } from './pointerWrite.ts';

export const promoteBodySchema = gatedWriteSchema.extend({ version: versionSchema.optional() });

/** `POST /api/remotes/:name/promote` `{version?, expectedRevision?, skipGate?}`: live for everybody; the canary's version by default. */
export const postPromote = (deps: AppDeps): RequestHandler =>
  pointerWrite(deps, 'promote', async (name, req) => {
    let tried: string | undefined;
    const { content, options } = await passGate(
      deps,
      name,
      parseInput(promoteBodySchema, req.body ?? {}),
      async ({ version }) => {
        const { remotes } = await deps.board.read();
        tried = version ?? (Object.hasOwn(remotes, name) ? remotes[name]?.canary?.version : undefined);
        return [tried];
      },
    );
    return deps.board.promote(name, content.version, { ...options, only: tried });
  });
