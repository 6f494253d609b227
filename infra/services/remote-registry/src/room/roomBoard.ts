import { firstView, checkManifest } from '@forecourt/shared-contracts/slots/gate';
import type { listSchema, ReleaseId } from '@forecourt/cli/release';
import type { z } from 'zod';
import { earlierVersions } from '../pointers/pointerChanges.ts';
import type { PointerBoard } from '../pointers/pointerBoard.ts';
import type { PointerStore, ReleaseStore } from '../ports.ts';
import { summarize } from '../releases/summaries.ts';
import type { PointerChange, RoomBoard, RoomRelease } from './roomView.ts';
import type { ShellWatch } from './shellWatch.ts';

export interface BoardDeps {
  readonly pointers: PointerStore;
  readonly releases: ReleaseStore;
  readonly board: PointerBoard;
  readonly shells: ShellWatch;
}

const SHOWN_CHANGES = 50;
/** Newest releases per remote. */
const SHOWN_RELEASES = 20;

type Releases = z.infer<typeof listSchema>['releases'];

/** When the share of the remote's canary was last set. */
const canarySince = (changes: readonly PointerChange[], name: string): string | undefined =>
  changes.find(({ remote, verb }) => remote === name && verb === 'canary')?.at;

/** Reads everything that the overview shows. */
export async function readBoard({ pointers, releases, board, shells }: BoardDeps): Promise<RoomBoard> {
  const [record, changes, all, reports] = await Promise.all([
    pointers.readPointers(),
    board.readChanges({ limit: SHOWN_CHANGES }),
    releases.listReleases().then((ids) => summarize(releases, ids)),
    shells.read(),
  ]);
  const published = Map.groupBy(all, ({ name }) => name);
  const names = new Set([...Object.keys(record.remotes), ...published.keys()]);
  return {
    revision: record.revision,
    remotes: [...names].sort().flatMap((name) => {
      const pointer = record.remotes[name];
      // A remote that was published but never promoted has nothing to steer yet.
      if (!pointer) return [];
      const own: Releases = published.get(name) ?? [];
      const isAvailable = (version: string) => own.some((release) => release.version === version);
      const previous = earlierVersions(record, name).find(
        (version) => version !== pointer.live && isAvailable(version),
      );
      return [
        {
          name,
          pointer,
          previous,
          hold: record.holds?.[name],
          canarySince: pointer.canary && canarySince(changes, name),
          releases: own.slice(0, SHOWN_RELEASES),
        },
      ];
    }),
    changes,
    shells: reports,
  };
}

/** One release in detail; undefined if it is not published. */
export async function readRelease(
  { releases, shells }: BoardDeps,
  id: ReleaseId,
): Promise<RoomRelease | undefined> {
  const release = await releases.findRelease(id);
  if (!release) return undefined;
  const { manifest, publishedAt, publisher, signature, brotli } = release;
  const provides = await shells.provides();
  return {
    manifest,
    publishedAt,
    ...publisher,
    keyId: signature?.keyId,
    brotli: { ...brotli },
    check: provides && {
      contract: provides.contract,
      firstView: firstView(manifest, provides),
      refusals: checkManifest(manifest, provides),
    },
  };
}
