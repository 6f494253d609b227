import express, { Router, type RequestHandler } from 'express';
import { sendError } from '../../../server/http/responses.ts';
import type { ReleaseManifest } from '@forecourt/shared-contracts/slots/release';
import { bootRemote, bootSlot } from '../../../server/compose/boot.ts';
import { ALL_PLACEMENTS } from '../../../server/layout/layouts.ts';
import { releaseOf } from '../../../server/compose/renderSlots.ts';
import type { LoadedRelease } from '../../../server/rendering/release.ts';
import type { LocalBuild } from '../both/testerBoot.ts';
import { OVERRIDE_LABEL } from './overrideReleases.ts';
import { parseManifest } from './originClient.ts';
import { readOverrides } from './activeOverrides.ts';
import type { OverrideTokens } from './token.ts';
import { messageOf } from '../../../both/messageOf.ts';

const TIMEOUT_MS = 5_000;

/** `…/faults`: the upstream's fault switches, for the devtools. Mount in local mode only. */
export function faultRoutes(upstreamUrl: string): Router {
  const forward: RequestHandler = async ({ method, body }, response) => {
    try {
      const upstream = await fetch(`${upstreamUrl}/__faults`, {
        method,
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(method === 'POST' && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      });
      const text = await upstream.text();
      response.status(upstream.status);
      return text === '' ? response.end() : response.type('json').send(text);
    } catch (error) {
      return sendError(response, 502, 'UNREACHABLE', messageOf(error));
    }
  };

  const router = Router();
  router
    .route('/faults')
    .get(forward)
    .post(express.json({ limit: '4kb' }), forward)
    .delete(forward);
  return router;
}

const MAX_MANIFEST = '256kb';

/**
 * `POST …/local-build?remote=mfe-results`: the gate for a build that only the
 * tester's browser can reach. The browser sends the build's manifest; the response
 * is its boot data, with the integrity of every file.
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
      const active = await readOverrides(request, { tokens, origins });
      const override = active.find(({ claims }) => claims.remote === request.query['remote'])?.claims;
      if (override?.origin === undefined)
        return sendError(response, 403, 'OVERRIDE_MISSING', 'no override of this remote');
      try {
        const text: unknown = request.body;
        const manifest = parseManifest(typeof text === 'string' ? text : '', override.remote);
        if (override.version !== undefined && manifest.version !== override.version)
          throw new Error(`${override.origin} serves ${manifest.version}, not ${override.version}`);
        check(manifest);
        const release: LoadedRelease = {
          id: `${manifest.name}@${manifest.version}+override`,
          manifest,
          nodeSources: new Map(),
          webFiles: new Map(),
          metricsLabel: OVERRIDE_LABEL,
          filesFrom: override.origin,
        };
        const snapshot = new Map([[manifest.name, release]]);
        const slots = ALL_PLACEMENTS.filter((placement) => releaseOf(placement, snapshot)).map((placement) =>
          bootSlot({ placement, release, rendered: undefined }, new Set()),
        );
        return response.json({ remote: bootRemote(release), slots } satisfies LocalBuild);
      } catch (error) {
        return sendError(response, 422, 'OVERRIDE_REFUSED', messageOf(error));
      }
    },
  );
  return router;
}
