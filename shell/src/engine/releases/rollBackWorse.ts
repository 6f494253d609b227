import type { Logger } from '@forecourt/service-kit/log';
import { describeWorse, type WorseRelease } from './predecessorWatch.ts';
import type { RegistryClient } from './registryClient.ts';

/** Between two of them, someone may have moved the pointer of another remote. */
const ATTEMPTS = 3;

/**
 * Rolls a live release back that is worse than its predecessor, for all shells: only if it is still live, so that several shells
 * roll back once. The registry refuses it to a shell whose credential does not allow `rollback`: then a person decides.
 */
export function createRollback(
  registry: Pick<RegistryClient, 'pointers' | 'rollBack'>,
  logger: Pick<Logger, 'error' | 'warn'>,
): (worse: WorseRelease) => Promise<void> {
  async function attempt(worse: WorseRelease): Promise<boolean> {
    const { remote, version, slot } = worse;
    const pointers = await registry.pointers(undefined, 0, AbortSignal.timeout(10_000));
    if (!pointers || pointers.remotes[remote]?.live !== version) return false;
    const reason = `slot ${slot}: ${describeWorse(worse)}`;
    await registry.rollBack(remote, { revision: pointers.revision, reason });
    return true;
  }

  return async (worse) => {
    const release = `${worse.remote}@${worse.version}`;
    for (let left = ATTEMPTS - 1; ; left -= 1) {
      try {
        if (await attempt(worse)) logger.error({ release, slot: worse.slot }, 'live release rolled back');
        return;
      } catch (error) {
        if (left > 0) continue;
        logger.warn({ err: error, release }, 'the registry did not roll back');
        return;
      }
    }
  };
}
