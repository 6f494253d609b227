import { createHash } from 'node:crypto';
import type { LiveRemotes } from './follower.ts';
import type { LoadedRelease } from './release.ts';

/** For one request: the release of every remote, chosen once. */
export type Snapshot = ReadonlyMap<string, LoadedRelease>;

/** 0 ≤ share < 100, always the same for one visitor and remote; another remote's canary meets other visitors. */
function shareOf(visitor: string, remote: string): number {
  return (createHash('sha256').update(`${remote}\0${visitor}`).digest().readUInt32BE(0) / 2 ** 32) * 100;
}

export function chooseSnapshot(live: LiveRemotes, visitor: string): Snapshot {
  return new Map(
    [...live].map(([name, { live: release, canary }]) => [
      name,
      canary && shareOf(visitor, name) < canary.weight ? canary.release : release,
    ]),
  );
}
