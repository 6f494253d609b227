import { OVERRIDE_LABEL } from './overrideReleases.ts';
import { describeRefusal } from '@forecourt/shared-contracts/slots/gate';
import type { ReleaseFollower } from '../../../server/releases/follower.ts';
import { type LiveRemotes, bucketOf, type Snapshot } from '../../../server/releases/snapshot.ts';
import type { ChosenRelease, MeasuredSlot } from '../both/testerBoot.ts';
import type { SlotOutcome } from '../../../server/compose/renderSlots.ts';

/** A release of the remote that the pointers name but the shell refused. */
function refusedOf(
  remote: string,
  refused: ReturnType<ReleaseFollower['refused']>,
): ChosenRelease['refused'] {
  const [id, refusals] = [...refused].find(([id]) => id.startsWith(`${remote}@`)) ?? [];
  if (id === undefined || refusals === undefined) return undefined;
  const reason = refusals.map(describeRefusal).join(' | ');
  return { version: id.slice(remote.length + 1), reason: reason || 'it failed to load' };
}

/** Explains for each remote which release a visitor's page uses and why. */
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
    const refusal = refusedOf(remote, refused);
    const override = overrides.get(remote);
    return {
      remote,
      version,
      why:
        release.metricsLabel === OVERRIDE_LABEL
          ? 'override'
          : canary?.release === release
            ? 'canary'
            : 'live',
      ...(canary && {
        canary: {
          version: canary.release.manifest.version,
          weight: canary.weight,
          bucket: bucketOf(visitor, remote),
        },
      }),
      ...(refusal && { refused: refusal }),
      ...(override && { override }),
    };
  });
}

/** A slot's server-side facts for the devtools. */
export const measureSlot = ({ placement, release, rendered, ms, failure }: SlotOutcome): MeasuredSlot => ({
  slot: placement.slot,
  remote: placement.source === 'shell' ? null : placement.source.remote,
  version: release?.manifest.version ?? null,
  criticality: placement.criticality,
  ms: ms === undefined ? undefined : Math.round(ms * 10) / 10,
  bytes: rendered ? Buffer.byteLength(rendered.html) : 0,
  failure,
});
