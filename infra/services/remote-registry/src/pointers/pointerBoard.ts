import { setTimeout as pause } from 'node:timers/promises';
import type { Pointers } from '@forecourt/releases/pointers';
import { RegistryError } from '@forecourt/release-kit/registryError';
import type { Origin, PointerChange, PointerVerb } from '@forecourt/release-kit/registryResponses';
import { type PointerRecord, type PointerStore, type ReleaseStore, SerialQueue } from '../ports.ts';
import {
  earlierVersions,
  hold,
  pointerOf,
  pointTo,
  promote,
  type RemotePointer,
  resume,
  rollBack,
  startCanary,
} from './pointerChanges.ts';
import { type PointerWaits } from './pointerWaits.ts';

/** Retries of a change without an expected revision when another process was faster; one process never competes with itself. */
const ATTEMPTS = 20;
/** Maximum random backoff after the first attempt; grows linearly. */
const PAUSE_MS = 10;

const UNKNOWN: Origin = { by: 'unknown' };

/** Who makes a change and why, and the revision it must start from. */
export interface ChangeOptions {
  origin?: Origin;
  expectedRevision?: number | undefined;
}

const publicPointers = ({ revision, remotes }: PointerRecord): Pointers => ({ revision, remotes });

/**
 * Reads and changes the pointers. Every change is a compare-and-set: against
 * `expectedRevision` if given (else REVISION_CHANGED), otherwise against the newest
 * revision. Pointers can only name complete releases (UNKNOWN_RELEASE).
 */
export class PointerBoard {
  readonly #pointers: PointerStore;
  readonly #releases: ReleaseStore;
  readonly #waits: PointerWaits;
  readonly #onChange: (change: PointerChange) => Promise<void>;
  readonly #now: () => Date;
  readonly #changing = new SerialQueue();

  constructor(
    deps: {
      pointers: PointerStore;
      releases: ReleaseStore;
      waits: PointerWaits;
      /** Called once for every change that was made, in their order. */
      onChange?: (change: PointerChange) => Promise<void>;
    },
    now: () => Date = () => new Date(),
  ) {
    this.#pointers = deps.pointers;
    this.#releases = deps.releases;
    this.#waits = deps.waits;
    this.#onChange = deps.onChange ?? (async () => {});
    this.#now = now;
  }

  async read(): Promise<Pointers> {
    return publicPointers(await this.#pointers.readPointers());
  }

  /**
   * The pointers as soon as they differ from `knownRevision`, or after `seconds`,
   * or when `signal` aborts.
   */
  async readAfter(knownRevision: number, seconds: number, signal: AbortSignal): Promise<Pointers> {
    // Starts waiting before reading, so that a change in between is not missed.
    const wait = this.#waits.begin(seconds, signal);
    try {
      const now = await this.read();
      if (now.revision !== knownRevision) return now;
      await wait.done;
    } finally {
      wait.end();
    }
    return this.read();
  }

  /** Changes, newest first; optionally of one remote only. */
  async readChanges(options: { limit: number; remote?: string | undefined }): Promise<PointerChange[]> {
    const { limit, remote } = options;
    if (remote === undefined) return this.#pointers.readChanges({ limit });
    const changes: PointerChange[] = [];
    let beforeRevision: number | undefined;
    for (;;) {
      const page = await this.#pointers.readChanges({ limit: 100, beforeRevision });
      changes.push(...page.filter((change) => change.remote === remote));
      beforeRevision = page.at(-1)?.revision;
      if (changes.length >= limit || beforeRevision === undefined) return changes.slice(0, limit);
    }
  }

  async pointTo(name: string, pointer: RemotePointer, options: ChangeOptions = {}): Promise<Pointers> {
    const change = async (record: PointerRecord) => {
      await this.#mustExist(name, pointer.live);
      if (pointer.canary) await this.#mustExist(name, pointer.canary.version);
      return pointTo(record, name, pointer, this.#now());
    };
    return this.#change('pointer', name, change, options);
  }

  async startCanary(
    name: string,
    canary: { version: string; weight: number },
    options: ChangeOptions = {},
  ): Promise<Pointers> {
    const change = async (record: PointerRecord) => {
      await this.#mustExist(name, canary.version);
      return startCanary(record, name, canary, this.#now());
    };
    return this.#change('canary', name, change, options);
  }

  /** Without a version, promotes the canary's, provided that it is still `only`. */
  async promote(
    name: string,
    version?: string,
    { only, ...options }: ChangeOptions & { only?: string | undefined } = {},
  ): Promise<Pointers> {
    const change = async (record: PointerRecord) => {
      const after = promote(record, name, version, this.#now());
      const live = pointerOf(after, name)?.live;
      if (only !== undefined && live !== only)
        throw new RegistryError('REVISION_CHANGED', `the canary of ${name} is ${live} now, not ${only}`);
      if (live !== undefined) await this.#mustExist(name, live);
      return after;
    };
    return this.#change('promote', name, change, options);
  }

  /** Runs a job while this process changes no pointer. */
  withPointersLocked<T>(job: () => Promise<T>): Promise<T> {
    return this.#changing.run(job);
  }

  async rollBack(name: string, options: ChangeOptions = {}): Promise<Pointers> {
    const change = async (record: PointerRecord) => {
      const available = new Set<string>();
      for (const version of earlierVersions(record, name)) {
        if (await this.#releases.findRelease({ name, version })) available.add(version);
      }
      return rollBack(record, name, (version) => available.has(version));
    };
    return this.#change('rollback', name, change, options);
  }

  async readHolds(): Promise<NonNullable<PointerRecord['holds']>> {
    return (await this.#pointers.readPointers()).holds ?? {};
  }

  hold(name: string, options: ChangeOptions = {}): Promise<Pointers> {
    const change = (record: PointerRecord) => hold(record, name, options.origin ?? UNKNOWN, this.#now());
    return this.#change('hold', name, change, options);
  }

  resume(name: string, options: ChangeOptions = {}): Promise<Pointers> {
    return this.#change('resume', name, (record) => resume(record, name), options);
  }

  async #mustExist(name: string, version: string): Promise<void> {
    if (await this.#releases.findRelease({ name, version })) return;
    throw new RegistryError('UNKNOWN_RELEASE', `${name}@${version} is not published`);
  }

  #change(
    verb: PointerVerb,
    remote: string,
    change: (record: PointerRecord) => PointerRecord | Promise<PointerRecord>,
    options: ChangeOptions,
  ): Promise<Pointers> {
    return this.#changing.run(() => this.#compareAndSet(verb, remote, change, options));
  }

  async #compareAndSet(
    verb: PointerVerb,
    remote: string,
    change: (record: PointerRecord) => PointerRecord | Promise<PointerRecord>,
    { origin = UNKNOWN, expectedRevision }: ChangeOptions,
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
      const entry = this.#entry(verb, remote, origin, before, after);
      try {
        await this.#pointers.writePointers({ ...after, change: entry }, before.revision);
      } catch (error) {
        const mayRetry = expectedRevision === undefined && attempt < ATTEMPTS;
        if (!mayRetry || !(error instanceof RegistryError) || error.code !== 'REVISION_CHANGED') throw error;
        await pause(Math.random() * PAUSE_MS * attempt);
        continue;
      }
      this.#waits.wake();
      if (entry) await this.#onChange(entry);
      return publicPointers(after);
    }
  }

  #entry(
    verb: PointerVerb,
    remote: string,
    origin: Origin,
    before: PointerRecord,
    after: PointerRecord,
  ): PointerChange | undefined {
    const pointer = pointerOf(after, remote);
    if (!pointer) return undefined;
    return {
      ...origin,
      revision: after.revision,
      at: this.#now().toISOString(),
      remote,
      verb,
      before: pointerOf(before, remote) ?? null,
      after: pointer,
    };
  }
}

/**
 * Refuses to start without pointers where there were some: shells would be told that no remote is live.
 * @throws RegistryError STORAGE_DAMAGED
 */
export async function mustHavePointers(
  pointers: Pick<PointerStore, 'readPointers' | 'readChanges'>,
  { lastRevision }: { readonly lastRevision: number },
): Promise<void> {
  if ((await pointers.readPointers()).revision > 0) return;
  const [change] = await pointers.readChanges({ limit: 1 });
  const revision = Math.max(lastRevision, change?.revision ?? 0);
  if (revision === 0) return;
  throw new RegistryError(
    'STORAGE_DAMAGED',
    `pointers.json is missing or empty, but the log and history go up to revision ${revision}; ` +
      `restore it from a backup, or, to begin without live releases, create it with {"revision": ${revision}, "remotes": {}, "history": {}}`,
  );
}
