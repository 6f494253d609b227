import express, { Router } from 'express';
import type { ReleaseManifest } from '@forecourt/shared-contracts/slots/release';
import { bootRemote, bootSlot } from '../page/boot.ts';
import { LAYOUT } from '../page/layout.ts';
import { releaseOf } from '../page/renderSlots.ts';
import type { LoadedRelease } from '../releases/release.ts';
import { sendError } from '../server/errors.ts';
import { infoOf } from '../server/requestContext.ts';
import type { LocalBuild } from './localBuild.ts';
import { parseManifest } from './originClient.ts';
import { readOverrides } from './readOverrides.ts';
import type { OverrideTokens } from './token.ts';

const MAX_MANIFEST = '256kb';

/**
 * `POST …/local-build?remote=mfe-results`: the gate for a build that only the
 * tester's browser can reach. The browser sends the manifest that it was
 * served; the answer is what it boots from, with the integrity of every file.
 */
export function localBuildRoutes({
  tokens,
  origins,
  check,
}: {
  readonly tokens: OverrideTokens;
  readonly origins: readonly string[];
  readonly check: (manifest: ReleaseManifest) => void;
}): Router {
  const router = Router();
  router.post(
    '/local-build',
    express.text({ type: '*/*', limit: MAX_MANIFEST }),
    async (request, response) => {
      const { requestId } = infoOf(request);
      const active = await readOverrides(request, { tokens, origins });
      const wanted = active.find(({ claims }) => claims.remote === request.query['remote'])?.claims;
      if (wanted?.origin === undefined)
        return sendError(response, 403, 'OVERRIDE_MISSING', 'no override of this remote', requestId);
      try {
        const text: unknown = request.body;
        const manifest = parseManifest(typeof text === 'string' ? text : '', wanted.remote);
        if (wanted.version !== undefined && manifest.version !== wanted.version)
          throw new Error(`${wanted.origin} serves ${manifest.version}, not ${wanted.version}`);
        check(manifest);
        const release: LoadedRelease = {
          id: `${manifest.name}@${manifest.version}+override`,
          manifest,
          nodeSources: new Map(),
          webFiles: new Map(),
          isOverride: true,
          filesFrom: wanted.origin,
        };
        const snapshot = new Map([[manifest.name, release]]);
        const slots = LAYOUT.filter((placement) => releaseOf(placement, snapshot)).map((placement) =>
          bootSlot({ placement, release, rendered: undefined }, new Set()),
        );
        return response.json({ remote: bootRemote(release), slots } satisfies LocalBuild);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return sendError(response, 422, 'OVERRIDE_REFUSED', reason, requestId);
      }
    },
  );
  return router;
}
