import { Router } from 'express';
import type { Logger } from 'pino';
import { OVERRIDES_PATH } from '@forecourt/shared-contracts/slots/overridePaths';
import type { ReleaseManifest } from '@forecourt/shared-contracts/slots/release';
import type { PageExtension } from '../../../server/compose/pageExtension.ts';
import type { RegistryClient } from '../../../server/releases/registryClient.ts';
import { withoutDevtools } from '../both/testerBoot.ts';
import { createOriginClient } from './originClient.ts';
import { OverrideReleases, type OverrideReleasesParts } from './overrideReleases.ts';
import { overrideRoutes } from './overrideRoutes.ts';
import { extendTestedPages, type TestedPageParts } from './testedPage.ts';
import { createOverrideTokens } from './token.ts';
import { faultRoutes, localBuildRoutes } from './toolRoutes.ts';

/** The extension; `stop` ends its timers and retires its releases. */
export interface TesterExtension extends PageExtension {
  readonly stop: () => void;
}

export interface TesterParts extends Omit<TestedPageParts, 'tokens' | 'releases' | 'logger'> {
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
  stop: () => {},
};

/** Overrides, local builds, fault switches and devtools for testers. */
export function createTester(parts: TesterParts): TesterExtension {
  const { origins, isLocal, registry, now, logger } = parts;
  const tokens = createOverrideTokens(parts.key, now);
  const releases = new OverrideReleases({
    ...parts,
    sourceOf: ({ remote, version = '', origin }) =>
      origin === undefined
        ? { manifest: () => registry.manifest(remote, version), file: registry.file }
        : createOriginClient(origin, remote),
  });
  const idle = setInterval(releases.retireIdle, RETIRE_EVERY_MS);
  idle.unref();

  return {
    name: 'overrides',
    path: OVERRIDES_PATH,
    cleanUrl: withoutDevtools,
    findRelease: releases.find,
    extendPage: extendTestedPages({ ...parts, tokens, releases }),
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
