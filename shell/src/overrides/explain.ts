import { describeRefusal } from '@forecourt/shared-contracts/slots/gate';
import type { LiveRemotes, ReleaseFollower } from '../releases/follower.ts';
import { bucketOf, type Snapshot } from '../releases/snapshot.ts';
import type { ChosenRelease } from './testerBoot.ts';

/** A release of the remote that the pointers name and the shell does not use. */
function refusedOf(
  remote: string,
  refused: ReturnType<ReleaseFollower['refused']>,
): ChosenRelease['refused'] {
  const [id, refusals] = [...refused].find(([id]) => id.startsWith(`${remote}@`)) ?? [];
  if (id === undefined || refusals === undefined) return undefined;
  const reason = refusals.map(describeRefusal).join(' | ');
  return { version: id.slice(remote.length + 1), reason: reason || 'it could not be loaded' };
}

/** Says of each remote which release a visitor's page has and why. */
export function explainSnapshot(
  snapshot: Snapshot,
  {
    live,
    visitor,
    refused,
    overrides,
  }: {
    readonly live: LiveRemotes;
    readonly visitor: string;
    readonly refused: ReturnType<ReleaseFollower['refused']>;
    readonly overrides: ReadonlyMap<string, ChosenRelease['override']>;
  },
): ChosenRelease[] {
  return [...snapshot].map(([remote, release]) => {
    const { version } = release.manifest;
    const { canary } = live.get(remote) ?? {};
    const notUsed = refusedOf(remote, refused);
    const override = overrides.get(remote);
    return {
      remote,
      version,
      why: release.isOverride ? 'override' : canary?.release === release ? 'canary' : 'live',
      ...(canary && {
        canary: {
          version: canary.release.manifest.version,
          weight: canary.weight,
          bucket: bucketOf(visitor, remote),
        },
      }),
      ...(notUsed && { refused: notUsed }),
      ...(override && { override }),
    };
  });
}
