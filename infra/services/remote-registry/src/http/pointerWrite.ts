import type { Pointers } from '@forecourt/shared-contracts/slots/release';
import type { Request, RequestHandler } from 'express';
import type { AppDeps } from './deps.ts';
import { toRegistryError } from './errors.ts';
import { remoteNameOf } from './input.ts';

/** A verb on `/api/remotes/:name/…`: counted, logged, answers all pointers as they are now. */
export const pointerWrite =
  (
    { metrics }: AppDeps,
    verb: 'pointer' | 'canary' | 'promote' | 'rollback',
    write: (name: string, req: Request) => Promise<Pointers>,
  ): RequestHandler =>
  async (req, res) => {
    try {
      const name = remoteNameOf(req);
      const pointers = await write(name, req);
      metrics.pointerWrites.inc({ verb, outcome: 'done' });
      req.log.info(
        { remote: name, pointer: pointers.remotes[name], revision: pointers.revision },
        `${verb} done`,
      );
      res.json(pointers);
    } catch (error) {
      metrics.pointerWrites.inc({ verb, outcome: toRegistryError(error).code });
      throw error;
    }
  };
