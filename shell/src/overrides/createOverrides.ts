import { hkdfSync } from 'node:crypto';
import type { Router } from 'express';
import type { Logger } from 'pino';
import type { ReleaseManifest } from '@forecourt/shared-contracts/slots/release';
import type { ReleaseFollower } from '../releases/follower.ts';
import type { RegistryClient } from '../releases/registryClient.ts';
import type { LoadedRelease } from '../releases/release.ts';
import type { Snapshot } from '../releases/snapshot.ts';
import { infoOf, type Request } from '../server/requestContext.ts';
import { bannerCss, overrideBanner, type ShownOverride } from './banner.ts';
import { explainSnapshot } from './explain.ts';
import { faultRoutes } from './faultRoutes.ts';
import { createOriginClient } from './originClient.ts';
import { createOverrideReleases, type OverrideReleasesParts } from './overrideReleases.ts';
import { wantedText } from './overridePages.ts';
import { overrideRoutes } from './overrideRoutes.ts';
import { localBuildRoutes } from './localBuildRoutes.ts';
import { readOverrides } from './readOverrides.ts';
import { tokensOf } from './cookie.ts';
import type { TestedPage } from './testedPage.ts';
import type { ChosenRelease } from './testerBoot.ts';
import { createOverrideTokens } from './token.ts';
import { wantsDevtools } from './devtoolsSwitch.ts';

/** For the rest of the shell: what a tester's page is made of. */
export interface Overrides {
  /** Undefined for everybody but testers. `chosen` is the visitor's snapshot, `returnTo` the page's path and query. */
  readonly pageFor: (request: Request, chosen: Snapshot, returnTo: string) => Promise<TestedPage | undefined>;
  /** A release that only testers have now, for its files. */
  readonly find: (name: string, version: string) => LoadedRelease | undefined;
  readonly routes: Router;
  readonly stop: () => void;
}

export interface OverridesParts {
  /** The signing key; see `overrideKey`. */
  readonly key: string | Uint8Array;
  readonly origins: readonly string[];
  readonly isLocal: boolean;
  /** May the server run code of the allowed origins? */
  readonly rendersOrigins: boolean;
  readonly upstreamUrl: string;
  readonly registry: Pick<RegistryClient, 'manifest' | 'file'>;
  readonly live: ReleaseFollower['live'];
  readonly refused: ReleaseFollower['refused'];
  /** Throws when this shell cannot run the release. */
  readonly check: (manifest: ReleaseManifest) => void;
  /** Puts a release through the gate, under this id. */
  readonly admit: OverrideReleasesParts['admit'];
  readonly retire: (releaseId: string) => void;
  readonly css: string;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** ms since 1970. */
  readonly now: () => number;
}

const DEFAULT_BUILD_ORIGIN = 'http://localhost:5001';
const IDLE_LOOK_MS = 30_000;

/**
 * The key that signs overrides. Outside local mode it must be configured, or
 * there are none; in local mode one follows from the session cookies' secret.
 */
export function overrideKey(
  { OVERRIDE_KEY, LOCAL_MODE }: { readonly OVERRIDE_KEY?: string | undefined; readonly LOCAL_MODE: boolean },
  sessionSecret: string,
): string | Uint8Array | undefined {
  if (OVERRIDE_KEY !== undefined) return OVERRIDE_KEY;
  return LOCAL_MODE
    ? new Uint8Array(hkdfSync('sha256', sessionSecret, '', 'release overrides', 32))
    : undefined;
}

/** Where builds may come from. In local mode `npx forecourt serve` is allowed without saying so. */
export const overrideOrigins = ({
  OVERRIDE_ORIGINS,
  LOCAL_MODE,
}: {
  readonly OVERRIDE_ORIGINS: readonly string[];
  readonly LOCAL_MODE: boolean;
}): readonly string[] =>
  OVERRIDE_ORIGINS.length > 0 || !LOCAL_MODE ? OVERRIDE_ORIGINS : [DEFAULT_BUILD_ORIGIN];

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 500);

/** Everything about overrides in the shell. */
export function createOverrides(parts: OverridesParts): Overrides {
  const { origins, isLocal, rendersOrigins, registry, now, logger } = parts;
  const tokens = createOverrideTokens(parts.key, now);
  const releases = createOverrideReleases({
    ...parts,
    sourceOf: ({ remote, version = '', origin }) =>
      origin === undefined
        ? { manifest: () => registry.manifest(remote, version), file: registry.file }
        : createOriginClient(origin, remote),
  });
  const idle = setInterval(releases.retireIdle, IDLE_LOOK_MS);
  idle.unref();

  async function pageFor(
    request: Request,
    chosen: Snapshot,
    returnTo: string,
  ): Promise<TestedPage | undefined> {
    const isCalled = wantsDevtools(request.originalUrl, request.headers.cookie);
    if (!isCalled && tokensOf(request).length === 0) return undefined;
    const active = await readOverrides(request, { tokens, origins });
    const hasDevtools = isCalled && (isLocal || active.length > 0);
    if (active.length === 0 && !hasDevtools) return undefined;

    const snapshot = new Map(chosen);
    const shown: ShownOverride[] = [];
    const reasons = new Map<string, ChosenRelease['override']>();
    const { requestId, visitor } = infoOf(request);
    await Promise.all(
      active.map(async ({ claims }) => {
        const { remote, version, origin, exp, sub } = claims;
        const isInBrowser = origin !== undefined && !rendersOrigins;
        let failure: string | undefined;
        if (!isInBrowser) {
          try {
            snapshot.set(remote, await releases.load({ remote, version, origin }));
          } catch (error) {
            failure = messageOf(error);
            logger.warn(
              { event: 'override-failed', requestId, override: { remote, version, origin }, reason: failure },
              'override-failed',
            );
          }
        }
        shown.push({ remote, wanted: wantedText(claims), until: exp * 1000, failure, isInBrowser });
        reasons.set(remote, { until: exp * 1000, by: sub, origin, failure });
      }),
    );
    const fromOrigins = active.filter(({ claims }) => claims.origin !== undefined);
    return {
      snapshot,
      banner: overrideBanner(
        shown.sort((left, right) => (left.remote < right.remote ? -1 : 1)),
        returnTo,
      ),
      css: bannerCss,
      origins: fromOrigins.map(({ claims }) => claims.origin as string),
      remotes: active.map(({ claims }) => claims.remote),
      boot: {
        hasDevtools,
        isLocal,
        chosen: explainSnapshot(snapshot, {
          live: parts.live(),
          visitor: visitor.id,
          refused: parts.refused(),
          overrides: reasons,
        }),
        inBrowser: rendersOrigins
          ? []
          : fromOrigins.map(({ claims }) => ({ remote: claims.remote, origin: claims.origin as string })),
      },
    };
  }

  return {
    pageFor,
    find: releases.find,
    routes: overrideRoutes({
      tokens,
      origins,
      isLocal,
      now,
      css: parts.css,
      log: (event) => logger.info(event, event.event),
      tools: [
        localBuildRoutes({ tokens, origins, check: parts.check }),
        ...(isLocal ? [faultRoutes(parts.upstreamUrl)] : []),
      ],
    }),
    stop() {
      clearInterval(idle);
      releases.close();
    },
  };
}
