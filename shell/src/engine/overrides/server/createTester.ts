import express, { Router, type RequestHandler, type Response } from 'express';
import type { Logger } from '@forecourt/service-kit/log';
import type { ReleaseManifest } from '@forecourt/releases/manifest';
import { OVERRIDES_PATH } from '@forecourt/releases/overridePaths';
import type { PageExtension } from '../../pageExtension.ts';
import type { RegistryClient } from '../../releases/registryClient.ts';
import { withoutDevtools, type LocalBuild } from '../universal/testerBoot.ts';
import {
  createOriginClient,
  parseManifest,
  OverrideReleases,
  type OverrideReleasesParts,
  OVERRIDE_LABEL,
} from './overrideReleases.ts';
import { overrideRoutes, type OverrideRoutesParts } from './overrideRoutes.ts';
import { extendTestedPages, type TestedPageParts } from './testedPage.ts';
import { createOverrideTokens, type OverrideTokens, readOverrides } from './overrideTokens.ts';
import { createStreamingEgress } from '@forecourt/service-kit/egress';
import { EGRESS } from '../../egress.ts';
import { sendError } from '../../http/responses.ts';
import type { LoadedRelease } from '../../rendering/release.ts';
import { messageOf } from '../../universal/messageOf.ts';
import { randomUUID } from 'node:crypto';
import { bootRemote, bootSlot } from '../../compose/boot.ts';
import { releaseOf } from '../../compose/renderSlots.ts';
import { allPlacements } from '../../layout/permissions.ts';
import type { Site } from '../../site.ts';
import type { LiveRemotes } from '../../releases/snapshot.ts';

/** How often open pages are told of new releases; ms. */
const CHECK_EVERY_MS = 50;

const MAX_FAILURE = '64kb';

type TestedSite = Pick<Site, 'events' | 'layouts' | 'permissions'>;

/** Boot data of one release: itself and its slots, as a page without the server's HTML would get them. */
function bootBuild(release: LoadedRelease, site: TestedSite): LocalBuild {
  const snapshot = new Map([[release.manifest.name, release]]);
  const slots = allPlacements(site.layouts)
    .filter((placement) => releaseOf(placement, snapshot))
    .map((placement) => bootSlot({ placement, release, rendered: undefined }, { site }));
  return { remote: bootRemote(release), slots };
}

/**
 * `GET …/builds`, while `npm run dev` runs: server-sent events. `shell` names this process, so that a page of another
 * one reloads; `build` is the boot data of a live release: first of every remote, then of each new release; `failure` is
 * the text of a slot's failure in a page, which posts it to `…/failures`, as JSON.
 */
class BuildStream {
  readonly #live: () => LiveRemotes;
  readonly #site: TestedSite;
  /** Names this process. */
  readonly process = randomUUID();
  /** Open pages, each with the releases that it was told of. */
  readonly #clients = new Map<Response, Set<LoadedRelease>>();
  readonly #timer: NodeJS.Timeout;

  constructor(live: () => LiveRemotes, site: TestedSite) {
    this.#live = live;
    this.#site = site;
    this.#timer = setInterval(() => this.#tellAll(), CHECK_EVERY_MS);
    this.#timer.unref();
  }

  get routes(): Router {
    return Router()
      .get('/builds', this.#open)
      .post('/failures', express.text({ limit: MAX_FAILURE }), this.#pass);
  }

  readonly #pass: RequestHandler = (request, response) => {
    const failure: unknown = request.body;
    for (const client of this.#clients.keys())
      client.write(`event: failure\ndata: ${JSON.stringify(String(failure))}\n\n`);
    response.status(204).end();
  };

  readonly #open: RequestHandler = (_request, response) => {
    // A compressed stream would be held back.
    response.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store, no-transform' });
    response.write(`event: shell\ndata: ${this.process}\n\n`);
    this.#clients.set(response, new Set());
    response.once('close', () => this.#clients.delete(response));
    this.#tellAll();
  };

  #tellAll(): void {
    for (const [response, told] of this.#clients) {
      for (const { live: release } of this.#live().values()) {
        if (told.has(release)) continue;
        told.add(release);
        response.write(`event: build\ndata: ${JSON.stringify(bootBuild(release, this.#site))}\n\n`);
      }
    }
  }

  /** Ends the streams, which would keep the shell from stopping. */
  close(): void {
    clearInterval(this.#timer);
    for (const response of this.#clients.keys()) response.end();
  }
}

const TIMEOUT_MS = 5_000;

/** `…/faults`: the upstream's fault switches, for the devtools. Mount in local mode only. */
function faultRoutes(upstreamUrl: string): Router {
  const send = createStreamingEgress(EGRESS.upstream(upstreamUrl));
  const forward: RequestHandler = async ({ method, body }, response) => {
    try {
      const upstream = await send(`${upstreamUrl}/__faults`, {
        method,
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
function localBuildRoutes({
  tokens,
  origins,
  check,
  site,
}: {
  readonly site: TestedSite;
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
        return response.json(bootBuild(release, site));
      } catch (error) {
        return sendError(response, 422, 'OVERRIDE_REFUSED', messageOf(error));
      }
    },
  );
  return router;
}

/** The extension; `stop` ends its timers and retires its releases. */
export interface TesterExtension extends PageExtension {
  /** Ends responses that never end by themselves; call before the server closes. */
  readonly endStreams: () => void;
  readonly stop: () => void;
}

interface TesterParts extends Omit<
  TestedPageParts,
  'tokens' | 'releases' | 'logger' | 'shellProcess' | 'site'
> {
  readonly site: Pick<Site, 'events' | 'layouts' | 'permissions' | 'messages' | 'homePath'>;
  /** The signing key; see `overrideKey` in config.ts. */
  readonly key: string | Uint8Array;
  readonly upstreamUrl: string;
  readonly registry: Pick<RegistryClient, 'manifest' | 'file'>;
  /** Throws when this shell cannot run the release. */
  readonly check: (manifest: ReleaseManifest) => void;
  /** Loads a release through the gate under a separate id. */
  readonly admit: OverrideReleasesParts['admit'];
  readonly retire: (releaseId: string) => void;
  readonly css: string;
  readonly limits: OverrideRoutesParts['limits'];
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** ms since 1970. */
  readonly now: () => number;
}

/** How often idle releases are retired. */
const RETIRE_EVERY_MS = 30_000;

/** Used without a signing key: no overrides, and the extension's paths return 404. */
export const disabledTester: TesterExtension = {
  name: 'overrides',
  path: OVERRIDES_PATH,
  routes: Router(),
  cleanUrl: (url) => url,
  extendPage: () => Promise.resolve(undefined),
  findRelease: () => undefined,
  endStreams: () => {},
  stop: () => {},
};

/** Overrides, local builds, fault switches and devtools for testers. */
export function createTester(parts: TesterParts): TesterExtension {
  const { site, origins, isLocal, registry, now, logger } = parts;
  const tokens = createOverrideTokens(parts.key, now);
  const releases = new OverrideReleases({
    ...parts,
    remotes: () => parts.live().size,
    sourceOf: ({ remote, version = '', origin }) =>
      origin === undefined
        ? { manifest: () => registry.manifest(remote, version), file: registry.file }
        : createOriginClient(origin, remote),
  });
  const builds = parts.followsBuilds ? new BuildStream(parts.live, site) : undefined;
  const idle = setInterval(releases.retireIdle, RETIRE_EVERY_MS);
  idle.unref();

  return {
    name: 'overrides',
    path: OVERRIDES_PATH,
    cleanUrl: withoutDevtools,
    findRelease: releases.find,
    extendPage: extendTestedPages({ ...parts, tokens, releases, shellProcess: builds?.process }),
    routes: overrideRoutes({
      tokens,
      origins,
      isLocal,
      now,
      css: parts.css,
      messages: site.messages,
      homePath: site.homePath,
      limits: parts.limits,
      log: (event) => logger.info(event, event.event),
      tools: [
        localBuildRoutes({ tokens, origins, site, check: parts.check }),
        ...(isLocal ? [faultRoutes(parts.upstreamUrl)] : []),
        ...(builds ? [builds.routes] : []),
      ],
    }),
    endStreams: () => builds?.close(),
    stop() {
      clearInterval(idle);
      releases.close();
    },
  };
}
