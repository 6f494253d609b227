import { Router, type Request } from 'express';
import type { Logger } from 'pino';
import type { ReleaseManifest } from '@forecourt/shared-contracts/slots/release';
import type { ReleaseFollower } from '../../../server/releases/follower.ts';
import type { RegistryClient } from '../../../server/releases/registryClient.ts';
import type { Snapshot } from '../../../server/releases/snapshot.ts';
import { contextOf } from '../../../server/http/requestContext.ts';
import { bannerCss, overrideBanner, type ShownOverride, wantedText } from './views.ts';
import { explainSnapshot } from './explain.ts';
import { faultRoutes, localBuildRoutes } from './toolRoutes.ts';
import { createOriginClient } from './originClient.ts';
import {
  createOverrideReleases,
  type OverrideReleases,
  type OverrideReleasesParts,
} from './overrideReleases.ts';
import { overrideRoutes } from './overrideRoutes.ts';
import { readOverrides, tokensOf } from './activeOverrides.ts';
import { type TestedPage, toAddition } from './testedPage.ts';
import { type ChosenRelease, wantsDevtools, withoutDevtools } from '../both/testerBoot.ts';
import { createOverrideTokens, type OverrideTokens } from './token.ts';
import { OVERRIDES_PATH } from '@forecourt/shared-contracts/slots/override';
import type { PageExtension } from '../../../server/compose/pageExtension.ts';
import { messageOf } from '../../../both/messageOf.ts';

/** The extension, with what ends its timers and releases. */
export interface TesterExtension extends PageExtension {
  readonly stop: () => void;
}

export interface TesterParts {
  /** The signing key; see `overrideKey` in config.ts. */
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

/** How often idle releases are retired. */
const RETIRE_EVERY_MS = 30_000;

/** Without a signing key nothing can be overridden: the extension's paths are not found. */
export const disabledTester: TesterExtension = {
  name: 'overrides',
  path: OVERRIDES_PATH,
  routes: Router(),
  cleanUrl: (url) => url,
  extendPage: () => Promise.resolve(undefined),
  findRelease: () => undefined,
  stop: () => {},
};

/** What differs on the pages of testers; undefined for everyone else. */
function createTestedPages(
  parts: TesterParts,
  { tokens, releases }: { readonly tokens: OverrideTokens; readonly releases: OverrideReleases },
) {
  const { origins, isLocal, rendersOrigins, logger } = parts;
  return async function testedPageOf(
    request: Request,
    { snapshot: chosen, url: returnTo }: { readonly snapshot: Snapshot; readonly url: string },
  ): Promise<TestedPage | undefined> {
    const wantsTools = wantsDevtools(request.originalUrl, request.headers.cookie);
    if (!wantsTools && tokensOf(request).length === 0) return undefined;
    const active = await readOverrides(request, { tokens, origins });
    const hasDevtools = wantsTools && (isLocal || active.length > 0);
    if (active.length === 0 && !hasDevtools) return undefined;

    const snapshot = new Map(chosen);
    const shown: ShownOverride[] = [];
    const reasons = new Map<string, ChosenRelease['override']>();
    const { requestId, visitor } = contextOf(request);
    await Promise.all(
      active.map(async ({ claims }) => {
        const { remote, version, origin, exp, sub } = claims;
        const isInBrowser = origin !== undefined && !rendersOrigins;
        let failure: string | undefined;
        if (!isInBrowser) {
          try {
            snapshot.set(remote, await releases.load({ remote, version, origin }));
          } catch (error) {
            failure = messageOf(error).slice(0, 500);
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
  };
}

/** Overrides, local builds, fault switches and devtools for testers. */
export function createTester(parts: TesterParts): TesterExtension {
  const { origins, isLocal, registry, now, logger } = parts;
  const tokens = createOverrideTokens(parts.key, now);
  const releases = createOverrideReleases({
    ...parts,
    sourceOf: ({ remote, version = '', origin }) =>
      origin === undefined
        ? { manifest: () => registry.manifest(remote, version), file: registry.file }
        : createOriginClient(origin, remote),
  });
  const idle = setInterval(releases.retireIdle, RETIRE_EVERY_MS);
  idle.unref();

  const testedPageOf = createTestedPages(parts, { tokens, releases });
  return {
    name: 'overrides',
    path: OVERRIDES_PATH,
    cleanUrl: withoutDevtools,
    findRelease: releases.find,
    async extendPage(request, page) {
      const tested = await testedPageOf(request, page);
      return tested && toAddition(tested);
    },
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
