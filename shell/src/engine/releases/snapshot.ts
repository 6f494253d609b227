import { createHash } from 'node:crypto';
import type { LoadedRelease } from '../rendering/release.ts';

/** The accepted, loaded releases of one remote. */
export interface LiveRemote {
  readonly live: LoadedRelease;
  readonly canary?: { readonly release: LoadedRelease; readonly weight: number };
}
/** By name of the remote. */
export type LiveRemotes = ReadonlyMap<string, LiveRemote>;

/** The release of every remote, chosen once per request. */
export type Snapshot = ReadonlyMap<string, LoadedRelease>;

/** Number of visitor buckets; weights in percent have two decimals. */
const BUCKETS = 10_000;

/**
 * 0 ≤ bucket < 10,000, stable per visitor and remote. The hash includes the remote,
 * so that canaries of different remotes get different visitors, but not the
 * version, so that the next canary gets the same ones.
 */
export const bucketOf = (visitor: string, remote: string): number =>
  createHash('sha256').update(`${remote}\0${visitor}`).digest().readUIntBE(0, 6) % BUCKETS;

/** Whether the visitor gets a canary of `weight` percent. Increasing the weight only adds visitors. */
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
