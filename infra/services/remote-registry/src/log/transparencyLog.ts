import { canonicalJson, sha256 } from '@forecourt/release-kit/canonicalJson';
import { type Credential, describeScopes } from '@forecourt/release-kit/credentials';
import {
  EMPTY_LOG,
  type LogEntry,
  type LogEvent,
  type LogHead,
  nextEntry,
  readEntry,
} from '@forecourt/release-kit/logEntries';
import { RegistryError } from '@forecourt/release-kit/registryError';
import type { PointerChange } from '@forecourt/release-kit/registryResponses';
import { type ReleaseId, releaseLabel } from '@forecourt/release-kit/releaseFiles';
import type { SigningKey } from '@forecourt/release-kit/signatures';
import { type LogStore, type RegistryStorage, SerialQueue, type StoredRelease } from '../ports.ts';

const recovered = (isRecovered = false): LogEvent['details'] => (isRecovered ? { recovered: true } : {});

/** `manifest` is the SHA-256 of its canonical form, which names the hash of every file. */
export const publishEvent = (
  id: ReleaseId,
  { manifest, signature }: Pick<StoredRelease, 'manifest' | 'signature'>,
  {
    by,
    commit,
    isRecovered,
  }: { readonly by: string; readonly commit?: string; readonly isRecovered?: boolean },
): LogEvent => ({
  action: 'publish',
  by,
  subject: releaseLabel(id),
  details: {
    manifest: sha256(canonicalJson(manifest)),
    ...(signature && { key: signature.keyId }),
    ...(commit !== undefined && { commit }),
    ...recovered(isRecovered),
  },
});

export const pointerEvent = (
  { verb, by, remote, revision, after, why, skipGate }: PointerChange,
  { isRecovered }: { readonly isRecovered?: boolean } = {},
): LogEvent => ({
  action: verb,
  by,
  subject: remote,
  details: {
    revision,
    live: after.live,
    ...(after.canary && { canary: after.canary.version, weight: after.canary.weight }),
    ...(why === undefined ? {} : { why }),
    ...(skipGate && { skipGate }),
    ...recovered(isRecovered),
  },
});

export const credentialEvent = (
  action: Extract<LogEvent['action'], `${string}-credential` | 'exchange-token'>,
  by: string,
  { name, scopes, expiresAt }: Credential,
): LogEvent => ({
  action,
  by,
  subject: name,
  details: { scopes: describeScopes(scopes), ...(expiresAt === undefined ? {} : { expiresAt }) },
});

export const keyEvent = (
  action: Extract<LogEvent['action'], `${string}-key`>,
  by: string,
  { remote, keyId, publicKey }: SigningKey,
): LogEvent => ({ action, by, subject: keyId, details: { remote, publicKey } });

/** Attempts at one entry when other registries are faster. */
const ATTEMPTS = 20;
/** Entries read at a time. */
const PAGE = 500;

/** An event that the log has not stored yet. */
interface PendingEvent {
  readonly event: LogEvent;
  readonly at: Date;
}

/**
 * The append-only log of everything that changes what shells run or who may change
 * it. Every entry holds the hash of the one before. A broken log refuses writes;
 * reading goes on, so that pages keep working while an operator investigates.
 */
export class TransparencyLog {
  readonly #store: LogStore;
  readonly #now: () => Date;
  readonly #writing = new SerialQueue();
  #head: LogHead = EMPTY_LOG;
  #problem: string | undefined;
  /** Events of changes that were made; kept until they can be written. */
  readonly #pending: PendingEvent[] = [];
  #lastRevision = 0;
  readonly #published = new Set<string>();

  private constructor(store: LogStore, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  /** Verifies the whole chain. */
  static async open(store: LogStore, now: () => Date = () => new Date()): Promise<TransparencyLog> {
    const log = new TransparencyLog(store, now);
    await log.#readNew();
    return log;
  }

  /** Why the log is broken; undefined if it is intact. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get head(): LogHead {
    return this.#head;
  }

  /** Newest revision of the pointers in the log; 0 if there is none. */
  get lastRevision(): number {
    return this.#lastRevision;
  }

  /** Before a change is made. @throws RegistryError STORAGE_DAMAGED, or why earlier events can't be written */
  async mustBeWritable(): Promise<void> {
    this.#mustBeIntact();
    await this.#writing.run(() => this.#flush());
  }

  /**
   * Records a change that was made. Never rejects for a failed write: the change stands, and `mustBeWritable` tries
   * again before the next one.
   */
  async record(event: LogEvent, at: Date = this.#now()): Promise<void> {
    this.#pending.push({ event, at });
    await this.#writing.run(() => this.#flush()).catch(() => undefined);
  }

  /** Texts of entries after `sequence`, oldest first. */
  read(after: number, limit: number): Promise<string[]> {
    return this.#store.readEntries(after, limit);
  }

  /** Records what was changed without the service, or right before it crashed. */
  async recover({ pointers, releases }: Pick<RegistryStorage, 'pointers' | 'releases'>): Promise<void> {
    if (this.#problem !== undefined) return;
    for (const id of await releases.listReleases()) {
      const release = this.#published.has(releaseLabel(id)) ? undefined : await releases.findRelease(id);
      if (release) await this.record(publishEvent(id, release, { by: 'unknown', isRecovered: true }));
    }
    const unloggedChanges: PointerChange[] = [];
    for (;;) {
      const page = await pointers.readChanges({
        limit: PAGE,
        beforeRevision: unloggedChanges.at(-1)?.revision,
      });
      const isNew = page.filter(({ revision }) => revision > this.#lastRevision);
      unloggedChanges.push(...isNew);
      if (isNew.length < PAGE) break;
    }
    for (const change of unloggedChanges.reverse())
      await this.record(pointerEvent(change, { isRecovered: true }), new Date(change.at));
  }

  #mustBeIntact(): void {
    if (this.#problem === undefined) return;
    throw new RegistryError(
      'STORAGE_DAMAGED',
      `${this.#problem}; nothing can be changed until it is restored from a backup`,
    );
  }

  async #flush(): Promise<void> {
    let attempts = 0;
    for (let pending = this.#pending[0]; pending; pending = this.#pending[0]) {
      this.#mustBeIntact();
      if ((attempts += 1) > ATTEMPTS)
        throw new RegistryError('REVISION_CHANGED', 'other registries write the log all the time; try again');
      const text = nextEntry(this.#head, pending.event, pending.at);
      if (await this.#store.appendEntry(this.#head.sequence + 1, text)) {
        this.#adopt(text);
        this.#pending.shift();
        attempts = 0;
      } else await this.#readNew();
    }
  }

  /** Verifies the entries that follow the head, of this or other registries. */
  async #readNew(): Promise<void> {
    try {
      for (;;) {
        const texts = await this.#store.readEntries(this.#head.sequence, PAGE);
        for (const text of texts) this.#adopt(text);
        if (texts.length === 0) return;
      }
    } catch (error) {
      if (error instanceof RegistryError) throw error;
      this.#problem = error instanceof Error ? error.message : String(error);
    }
  }

  #adopt(text: string): void {
    const { entry, head } = readEntry(this.#head, text);
    this.#head = head;
    this.#index(entry);
  }

  #index({ action, subject, details }: LogEntry): void {
    if (action === 'publish') this.#published.add(subject);
    const { revision } = details;
    if (typeof revision === 'number') this.#lastRevision = Math.max(this.#lastRevision, revision);
  }
}
