import { join } from 'node:path';
import type { Logger } from '@forecourt/service-kit/log';
import { requiredSlots } from '../layout/permissions.ts';
import type { Site } from '../site.ts';
import type { SlotRenderer } from '../rendering/slotRenderer.ts';
import { watchCanaries } from './canaryWatch.ts';
import { ReleaseFollower } from './follower.ts';
import {
  createRegistryClient,
  createReleaseSignatures,
  type RegistryTrace,
  type ReleaseKeys,
} from './registryClient.ts';
import { gatePages } from './gatePages.ts';
import { createRollback } from './rollBackWorse.ts';
import { createReleaseLoader, type ProvidingSite, shellProvides } from './releaseLoader.ts';
import { storeReleases } from './releaseStore.ts';

const LOG_LEVELS = {
  suspicious: 'error',
  'poll-failed': 'error',
  refused: 'warn',
  'registry-unreachable': 'warn',
  adopted: 'info',
  retired: 'info',
} as const;

export type ReleasePath = ReturnType<typeof createReleasePath>;

/**
 * The path of a release: registry → copy on disk → gate (manifest, integrity,
 * modules, smoke render) → live or canary → watch → withdraw if worse.
 */
export function createReleasePath({
  site,
  config,
  dataDir,
  renderer,
  logger,
  trace,
}: {
  readonly site: ProvidingSite & Pick<Site, 'recordedPages' | 'calls'>;
  readonly config: {
    readonly REGISTRY_URL: string;
    readonly REGISTRY_TOKEN?: string | undefined;
    readonly RELEASE_KEYS: ReleaseKeys;
    readonly PORT: number;
    readonly CONFIRM_REVISION?: number | undefined;
    readonly DEVELOPMENT_BUILDS: boolean;
  };
  readonly dataDir: string;
  readonly renderer: SlotRenderer;
  readonly logger: Logger;
  readonly trace?: RegistryTrace | undefined;
}) {
  const signatures = createReleaseSignatures(config.RELEASE_KEYS);
  const registry = createRegistryClient(config.REGISTRY_URL, {
    token: config.REGISTRY_TOKEN,
    signatures,
    trace,
  });
  // One folder per shell, because each removes the releases that it does not use.
  const folder = join(dataDir, 'shell', String(config.PORT));
  const store = storeReleases(
    registry,
    folder,
    (reason) => logger.warn({ reason }, 'a release could not be stored'),
    signatures.manifestFile,
  );
  const provides = shellProvides(site, { takesDevelopmentBuilds: config.DEVELOPMENT_BUILDS });
  const loader = createReleaseLoader({
    site,
    registry: store,
    trialRegistry: registry,
    renderer,
    provides,
    warmsUp: () => follower.live().size > 0,
  });
  const required = requiredSlots(site.layouts);
  const follower = new ReleaseFollower({
    registry: store,
    store,
    load: loader.load,
    renderer,
    requiredRemotes: new Set(required.keys()),
    confirmedRevision: config.CONFIRM_REVISION,
    log(event) {
      logger[LOG_LEVELS[event.event]](event, event.event);
    },
  });

  const canaries = watchCanaries({
    live: follower.live,
    requiredSlots: required,
    now: Date.now,
    onWorse({ remote, version, reason }) {
      const release = `${remote}@${version}`;
      logger.error({ release, reason }, 'canary ended');
      follower.withdrawCanary(remote, version);
      registry.endCanary(remote, version, reason).catch((error: unknown) => {
        logger.error({ err: error, release }, 'the registry did not end the canary');
      });
    },
  });
  // `registry` is the one without a copy on disk.
  const gate = { provides, tryOut: loader.tryOut, pages: () => gatePages(site) };
  // Without a credential, the registry would take this shell for a person on the same machine.
  const rollBack = config.REGISTRY_TOKEN === undefined ? undefined : createRollback(registry, logger);
  return { registry, provides, loader, follower, gate, canaries, rollBack };
}
