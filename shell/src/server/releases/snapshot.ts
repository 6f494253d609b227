import { createHash } from 'node:crypto';
import type { LoadedRelease } from '../rendering/release.ts';

/** The accepted, loaded releases of one remote. */
export interface LiveRemote {
  readonly live: LoadedRelease;
  readonly canary?: { readonly release: LoadedRelease; readonly weight: number };
}
/** By name of the remote. */
export type LiveRemotes = ReadonlyMap<string, LiveRemote>;

/** For one request: the release of every remote, chosen once. */
export type Snapshot = ReadonlyMap<string, LoadedRelease>;

/** Visitors are dealt into so many buckets, so a weight in percent has two decimals. */
const BUCKETS = 10_000;

/**
 * 0 ≤ bucket < 10,000, always the same for one visitor and remote. The remote
 * is in the hash, so that another remote's canary meets other visitors; the
 * version is not, so that the next candidate meets the same ones.
 */
export const bucketOf = (visitor: string, remote: string): number =>
  createHash('sha256').update(`${remote}\0${visitor}`).digest().readUIntBE(0, 6) % BUCKETS;

/** Does the visitor get the canary of `weight` percent? A growing weight only adds visitors; 0 has none. */
export const isInCanary = (visitor: string, remote: string, weight: number): boolean =>
  bucketOf(visitor, remote) < Math.round((weight * BUCKETS) / 100);

export function chooseSnapshot(live: LiveRemotes, visitor: string): Snapshot {
  return new Map(
    [...live].map(([name, { live: release, canary }]) => [
      name,
      canary && isInCanary(visitor, name, canary.weight) ? canary.release : release,
    ]),
  );
}
