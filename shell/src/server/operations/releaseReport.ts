import type { Refusal } from '@forecourt/shared-contracts/slots/gate';
import type { CanaryWatch } from '../releases/canaryWatch.ts';
import type { LiveRemotes } from '../releases/snapshot.ts';
import { WINDOW_MS } from '../releases/tally.ts';
import type { ShellReport, SlotTrouble } from './slotTrouble.ts';

/** What this shell serves and how its releases fare, for `GET /releases/report`. */
export const createReleaseReport = (
  {
    releases,
    canaries,
    clock,
  }: {
    readonly releases: {
      readonly live: () => LiveRemotes;
      readonly revision?: () => number | undefined;
      readonly refused?: () => ReadonlyMap<string, readonly Refusal[]>;
    };
    readonly canaries?: CanaryWatch;
    readonly clock: () => Date;
  },
  status: () => string,
  trouble: SlotTrouble,
): (() => ShellReport) => {
  const startedAt = clock().toISOString();
  return () => ({
    status: status(),
    startedAt,
    revision: releases.revision?.(),
    windowMinutes: WINDOW_MS / 60_000,
    remotes: Object.fromEntries(
      [...releases.live()].map(([name, { live, canary }]) => [
        name,
        {
          live: live.manifest.version,
          ...(canary && {
            canary: { version: canary.release.manifest.version, weight: canary.weight },
          }),
        },
      ]),
    ),
    refused: Object.fromEntries(
      [...(releases.refused?.() ?? [])].map(([release, refusals]) => [release, [...refusals]]),
    ),
    canaries: canaries?.evidence() ?? [],
    slots: trouble.slots(),
  });
};
