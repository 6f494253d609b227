import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import {
  type AppDeps,
  callerOf,
  gatedWriteSchema,
  isNotModified,
  parseInput,
  queryNumber,
  remoteNameOf,
  revisionSchema,
  splitWrite,
  toRegistryError,
  writeSchema,
} from './requests.ts';
import { CANARY_LIMIT } from '@forecourt/release-kit/actions';
import type { Caller } from '@forecourt/release-kit/credentials';
import { RegistryError } from '@forecourt/release-kit/registryError';
import type { PointerVerb } from '@forecourt/release-kit/registryResponses';
import { mustAllow } from '../access/credentials.ts';
import { versionSchema } from '@forecourt/releases/manifest';
import { type Pointers, pointersSchema } from '@forecourt/releases/pointers';
import type { ChangeOptions } from '../pointers/pointerBoard.ts';
import { readCanary, readStatus, type ShellWatch } from '../room/roomBoard.ts';

export const pointersQuerySchema = z.object({
  wait: queryNumber.pipe(z.number().max(60)).default(0),
  revision: queryNumber.pipe(revisionSchema).optional(),
});
const querySchema = pointersQuerySchema.refine(
  ({ wait, revision }) => wait === 0 || revision !== undefined,
  'wait needs revision=N, the last known revision',
);

/**
 * `GET /api/pointers`: what is live, with a strong ETag. Long polling with
 * `?wait=SECONDS&revision=N` (at most 60 s): the response waits while the pointers
 * are at revision N.
 */
export const getPointers =
  ({ board, roomOrigin }: Pick<AppDeps, 'board' | 'roomOrigin'>): RequestHandler =>
  async (req, res) => {
    const { wait, revision } = parseInput(querySchema, req.query);
    const disconnected = new AbortController();
    res.once('close', () => disconnected.abort());
    const pointers =
      wait === 0 || revision === undefined
        ? await board.read()
        : await board.readAfter(revision, wait, disconnected.signal);
    if (disconnected.signal.aborted) return;

    const room = roomOrigin === undefined ? {} : { room: `${roomOrigin}/room` };
    const body = JSON.stringify({ ...pointers, ...room });
    // Includes the content: after a restore from backup, a revision may recur with other pointers.
    const hash = createHash('sha256').update(body).digest('base64url').slice(0, 16);
    const etag = `"${pointers.revision}-${hash}"`;
    res.set({ 'Cache-Control': 'no-cache', ETag: etag });
    if (isNotModified(req, etag)) {
      res.status(304).end();
      return;
    }
    res.type('json').send(body);
  };

/** The remote of a write, and who writes. */
interface PointerTarget {
  readonly name: string;
  readonly caller: Caller;
}

/**
 * Splits a write and asks the gate to accept the versions that it names. Skipping
 * the gate needs a `why`; both are stored in the history.
 * @throws RegistryError GATE_REFUSED, SHELL_UNREACHABLE, UNKNOWN_RELEASE, BAD_REQUEST
 */
async function passGate<T extends z.infer<typeof gatedWriteSchema>>(
  { gates, releases }: Pick<AppDeps, 'gates' | 'releases'>,
  { name, caller }: PointerTarget,
  body: T,
  versionsOf: (body: T) => readonly (string | undefined)[] | Promise<readonly (string | undefined)[]>,
) {
  const split = splitWrite(caller, body);
  const options: ChangeOptions = split.options;
  const { skipGate, ...content } = split.rest;
  if (skipGate) {
    const { origin } = split.options;
    if (origin.why === undefined) throw new RegistryError('BAD_REQUEST', 'skipGate needs a why');
    const skipping: ChangeOptions = { ...options, origin: { ...origin, skipGate } };
    return { content, options: skipping };
  }
  if (!gates) return { content, options };
  for (const version of new Set(await versionsOf(body))) {
    if (version === undefined) continue;
    if (!(await releases.findRelease({ name, version })))
      throw new RegistryError('UNKNOWN_RELEASE', `${name}@${version} is not published`);
    await gates.mustAccept({ name, version });
  }
  return { content, options };
}

/** Handler of a verb on `/api/remotes/:name/…`: counts and logs it, and returns all pointers. */
const pointerWrite =
  (
    { metrics }: AppDeps,
    verb: PointerVerb,
    write: (target: PointerTarget, req: Request) => Promise<Pointers>,
  ): RequestHandler =>
  async (req, res) => {
    try {
      const name = remoteNameOf(req);
      const pointers = await write({ name, caller: callerOf(res) }, req);
      metrics.pointerWrites.inc({ verb, outcome: 'done' });
      req.log.info(
        {
          remote: name,
          by: callerOf(res).name,
          pointer: pointers.remotes[name],
          revision: pointers.revision,
        },
        `${verb} done`,
      );
      res.json(pointers);
    } catch (error) {
      metrics.pointerWrites.inc({ verb, outcome: toRegistryError(error).code });
      throw error;
    }
  };

/** Visitors fall into 10,000 buckets, so a weight has at most two decimals. */
export const canaryBodySchema = gatedWriteSchema.extend({
  version: versionSchema,
  weight: z.number().min(0).max(100).multipleOf(0.01),
});

/**
 * `POST /api/remotes/:name/canary` `{version, weight, expectedRevision?, why?, skipGate?}`: weight in percent; 0
 * ends the canary without asking the gate. More than `CANARY_LIMIT` is nearly a promotion, and needs its permission.
 */
export const postCanary = (deps: AppDeps): RequestHandler =>
  pointerWrite(deps, 'canary', async (target, req) => {
    const body = parseInput(canaryBodySchema, req.body);
    if (body.weight > 0) {
      mustAllow(target.caller, 'canary', target.name);
      if (body.weight > CANARY_LIMIT)
        mustAllow(
          target.caller,
          'promote',
          target.name,
          `a canary for more than ${CANARY_LIMIT} % of visitors`,
        );
      await deps.log.mustBeWritable();
    }
    const { content, options } = await passGate(deps, target, body, ({ version, weight }) =>
      weight > 0 ? [version] : [],
    );
    return deps.board.startCanary(target.name, content, options);
  });

export const promoteBodySchema = gatedWriteSchema.extend({ version: versionSchema.optional() });

/** `POST /api/remotes/:name/promote` `{version?, expectedRevision?, skipGate?}`: live for everyone; default: the canary's version. */
export const postPromote = (deps: AppDeps): RequestHandler =>
  pointerWrite(deps, 'promote', async (target, req) => {
    const { name } = target;
    let checkedVersion: string | undefined;
    const { content, options } = await passGate(
      deps,
      target,
      parseInput(promoteBodySchema, req.body ?? {}),
      async ({ version }) => {
        const { remotes } = await deps.board.read();
        checkedVersion =
          version ?? (Object.hasOwn(remotes, name) ? remotes[name]?.canary?.version : undefined);
        return [checkedVersion];
      },
    );
    return deps.board.promote(name, content.version, { ...options, only: checkedVersion });
  });

/**
 * `POST /api/remotes/:name/rollback` `{expectedRevision?}`: back to the previous live version; ends a canary. Asks no
 * gate, because that version was accepted before.
 */
export const postRollback = (deps: AppDeps): RequestHandler =>
  pointerWrite(deps, 'rollback', ({ name, caller }, req) => {
    const { options } = splitWrite(caller, parseInput(writeSchema, req.body ?? {}));
    return deps.board.rollBack(name, options);
  });

/** A hold must be explained to the team that it stops. */
export const holdBodySchema = writeSchema.required({ why: true });

/** `POST /api/remotes/:name/hold` `{why, expectedRevision?}`: until `resume`, the pointer only goes back. */
export const postHold = (deps: AppDeps): RequestHandler =>
  pointerWrite(deps, 'hold', ({ name, caller }, req) => {
    const { options } = splitWrite(caller, parseInput(holdBodySchema, req.body));
    return deps.board.hold(name, options);
  });

/** `POST /api/remotes/:name/resume` `{expectedRevision?}`: ends a hold. */
export const postResume = (deps: AppDeps): RequestHandler =>
  pointerWrite(deps, 'resume', ({ name, caller }, req) => {
    const { options } = splitWrite(caller, parseInput(writeSchema, req.body ?? {}));
    return deps.board.resume(name, options);
  });

/** Without its page, the registry watches no shells. */
const NO_SHELLS: ShellWatch = {
  read: () => Promise.resolve([]),
  gate: () => Promise.resolve([]),
  provides: () => Promise.resolve([]),
};

/**
 * `GET /api/remotes/:name/canary`: how the canary fares against the live release, over all shells. For callers only, because
 * each request asks every shell. @throws RegistryError NO_CANARY
 */
export const getCanary =
  (deps: AppDeps): RequestHandler =>
  async (req, res) => {
    const name = remoteNameOf(req);
    const { read: readShells } = deps.room?.shells ?? NO_SHELLS;
    const report = await readCanary({ ...deps, readShells }, name);
    if (!report) throw new RegistryError('NO_CANARY', `${name} has no canary`);
    res.set('Cache-Control', 'no-store').json(report);
  };

/** `GET /api/status`: what is live where, and how it fares. For callers only, because each request asks every shell. */
export const getStatus =
  (deps: AppDeps): RequestHandler =>
  async (_req, res) => {
    const shells = deps.room?.shells ?? NO_SHELLS;
    res.set('Cache-Control', 'no-store').json(await readStatus({ ...deps, shells }, Date.now()));
  };

/** `GET /api/holds`: held remotes, with person and reason. */
export const getHolds =
  ({ board }: AppDeps): RequestHandler =>
  async (_req, res) => {
    res.set('Cache-Control', 'no-cache').json({ holds: await board.readHolds() });
  };

export const pointerBodySchema = gatedWriteSchema.extend({
  ...pointersSchema.shape.remotes.valueType.shape,
  expectedRevision: revisionSchema,
});

/** `POST /api/remotes/:name/pointer` `{live, canary?, expectedRevision, skipGate?}`: the whole pointer by compare-and-set. */
export const postPointer = (deps: AppDeps): RequestHandler =>
  pointerWrite(deps, 'pointer', async (target, req) => {
    const body = parseInput(pointerBodySchema, req.body);
    if (body.canary) mustAllow(target.caller, 'canary', target.name);
    const { content, options } = await passGate(deps, target, body, ({ live, canary }) => [
      live,
      canary?.version,
    ]);
    return deps.board.pointTo(target.name, content, options);
  });
