import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { manifestBytesOf, sampleRelease, temporaryDirectory } from '@forecourt/release-kit/testing';
import { openLocalStorage } from '../storage/openStorage.ts';
import { addToStore } from '../releases/addToStore.ts';
import { PointerBoard } from './pointerBoard.ts';
import { PointerWaits } from './pointerWaits.ts';

const VERSIONS = Array.from({ length: 12 }, (_, at) => `1.0.${at}`);

describe('PointerBoard', () => {
  let root: Awaited<ReturnType<typeof temporaryDirectory>>;
  let storage: Awaited<ReturnType<typeof openLocalStorage>>;
  beforeEach(async () => {
    root = await temporaryDirectory();
    storage = await openLocalStorage(root.path);
    for (const version of VERSIONS) {
      const release = sampleRelease({ version });
      const upload = { manifestBytes: manifestBytesOf(release), files: release.files };
      await addToStore(storage.releases, upload, { brotliQuality: 0 });
    }
  });
  afterEach(() => root.remove());

  const board = () => new PointerBoard({ ...storage, waits: new PointerWaits() });

  it.each([1, 2])('applies all concurrent promotions through %i boards over one store', async (count) => {
    const boards = Array.from({ length: count }, board);
    await Promise.all(VERSIONS.map((version, at) => boards[at % count]!.promote('sample', version)));
    const changes = (await board().readChanges({ limit: 100 })).toReversed();
    expect(changes.map(({ revision }) => revision)).toEqual(VERSIONS.map((_, at) => at + 1));
    expect(changes.map(({ after }) => after.live).sort()).toEqual([...VERSIONS].sort());
    expect(changes.slice(1).map(({ before }) => before?.live)).toEqual(
      changes.slice(0, -1).map(({ after }) => after.live),
    );
    expect((await board().read()).remotes['sample']?.live).toBe(changes.at(-1)?.after.live);
  });
});
