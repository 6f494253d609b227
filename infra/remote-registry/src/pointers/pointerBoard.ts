import type { Pointers } from '@forecourt/shared-contracts/slots/release';
import { RegistryError } from '../registryError.ts';
import type { ReleaseStore } from '../releases/releaseStore.ts';
import {
  earlierVersions,
  pointerOf,
  pointTo,
  promote,
  type RemotePointer,
  rollBack,
  startCanary,
} from './pointerChanges.ts';
import type { PointerRecord, PointerStore } from './pointerStore.ts';
import type { PointerWaits } from './pointerWaits.ts';

/** How often a change that names no revision is tried again when another writer was faster. */
const ATTEMPTS = 5;

export const publicPointers = ({ revision, remotes }: PointerRecord): Pointers => ({ revision, remotes });

/**
 * Reads and changes the pointers. Every change is compare-and-set; with
 * `expectedRevision` it must meet that very revision (REVISION_CHANGED
 * otherwise), without one it applies to the newest. Only complete releases can
 * be pointed to (UNKNOWN_RELEASE).
 */
export class PointerBoard {
  readonly #pointers: PointerStore;
  readonly #releases: ReleaseStore;
  readonly #waits: PointerWaits;
  readonly #now: () => Date;

  constructor(
    deps: { pointers: PointerStore; releases: ReleaseStore; waits: PointerWaits },
    now: () => Date = () => new Date(),
  ) {
    this.#pointers = deps.pointers;
    this.#releases = deps.releases;
    this.#waits = deps.waits;
    this.#now = now;
  }

  async read(): Promise<Pointers> {
    return publicPointers(await this.#pointers.readPointers());
  }

  /**
   * The pointers, held back while they are still at `knownRevision`, at most
   * for `seconds` and not after `signal`.
   */
  async readAfter(knownRevision: number, seconds: number, signal: AbortSignal): Promise<Pointers> {
    // Waiting begins before the look, so that a change between the two is not missed.
    const wait = this.#waits.begin(seconds, signal);
    try {
      const now = await this.read();
      if (now.revision !== knownRevision) return now;
      await wait.over;
    } finally {
      wait.end();
    }
    return this.read();
  }

  async pointTo(name: string, pointer: RemotePointer, expectedRevision?: number): Promise<Pointers> {
    await this.#mustExist(name, pointer.live);
    if (pointer.canary) await this.#mustExist(name, pointer.canary.version);
    return this.#change((record) => pointTo(record, name, pointer, this.#now()), expectedRevision);
  }

  async startCanary(
    name: string,
    canary: { version: string; weight: number },
    expectedRevision?: number,
  ): Promise<Pointers> {
    await this.#mustExist(name, canary.version);
    return this.#change((record) => startCanary(record, name, canary, this.#now()), expectedRevision);
  }

  async promote(name: string, version?: string, expectedRevision?: number): Promise<Pointers> {
    return this.#change(async (record) => {
      const after = promote(record, name, version, this.#now());
      const live = pointerOf(after, name)?.live;
      if (live !== undefined) await this.#mustExist(name, live);
      return after;
    }, expectedRevision);
  }

  async rollBack(name: string, expectedRevision?: number): Promise<Pointers> {
    return this.#change(async (record) => {
      const available = new Set<string>();
      for (const version of earlierVersions(record, name)) {
        if (await this.#releases.findRelease({ name, version })) available.add(version);
      }
      return rollBack(record, name, (version) => available.has(version));
    }, expectedRevision);
  }

  async #mustExist(name: string, version: string): Promise<void> {
    if (await this.#releases.findRelease({ name, version })) return;
    throw new RegistryError('UNKNOWN_RELEASE', `${name}@${version} is not published`);
  }

  async #change(
    change: (record: PointerRecord) => PointerRecord | Promise<PointerRecord>,
    expectedRevision: number | undefined,
  ): Promise<Pointers> {
    for (let attempt = 1; ; attempt += 1) {
      const before = await this.#pointers.readPointers();
      if (expectedRevision !== undefined && before.revision !== expectedRevision) {
        throw new RegistryError(
          'REVISION_CHANGED',
          `the pointers are at revision ${before.revision}, not ${expectedRevision}`,
        );
      }
      const after = await change(before);
      if (after === before) return publicPointers(before);
      try {
        await this.#pointers.writePointers(after, before.revision);
      } catch (error) {
        const mayRetry = expectedRevision === undefined && attempt < ATTEMPTS;
        if (mayRetry && error instanceof RegistryError && error.code === 'REVISION_CHANGED') continue;
        throw error;
      }
      this.#waits.wake();
      return publicPointers(after);
    }
  }
}
