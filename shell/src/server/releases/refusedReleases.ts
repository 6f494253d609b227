import type { Refusal } from '@forecourt/shared-contracts/slots/gate';
import { ReleaseError } from './registryClient.ts';

/** Maximum backoff; the cause may be temporary. */
const MAX_RETRY_MS = 60_000;

interface Entry {
  readonly refusals: readonly Refusal[];
  readonly count: number;
  readonly retryAt: number;
}

/** Refused releases with reasons and retry times. */
export class RefusedReleases {
  readonly #releases = new Map<string, Entry>();
  readonly #retryMs: number;

  constructor(retryMs: number) {
    this.#retryMs = retryMs;
  }

  add(id: string, error: unknown): void {
    const count = (this.#releases.get(id)?.count ?? 0) + 1;
    const delayMs = Math.min(this.#retryMs * 2 ** (count - 1), MAX_RETRY_MS);
    const refusals = error instanceof ReleaseError ? error.refusals : [];
    this.#releases.set(id, { refusals, count, retryAt: Date.now() + delayMs });
  }

  delete(id: string): void {
    this.#releases.delete(id);
  }

  /** Removes all other releases. */
  keep(ids: ReadonlySet<string>): void {
    for (const id of this.#releases.keys()) if (!ids.has(id)) this.#releases.delete(id);
  }

  isBackingOff(id: string): boolean {
    return Date.now() < (this.#releases.get(id)?.retryAt ?? 0);
  }

  isAnyDue(): boolean {
    return [...this.#releases.values()].some(({ retryAt }) => retryAt <= Date.now());
  }

  /** s until the next retry; Infinity if no release is refused. */
  secondsUntilDue(): number {
    const due = Math.min(...[...this.#releases.values()].map(({ retryAt }) => retryAt));
    return Math.max(0, Math.ceil((due - Date.now()) / 1000));
  }

  refusalsOf(id: string): readonly Refusal[] {
    return this.#releases.get(id)?.refusals ?? [];
  }

  /** Every refused release with its reasons. */
  entries(): ReadonlyMap<string, readonly Refusal[]> {
    return new Map([...this.#releases].map(([id, { refusals }]) => [id, refusals]));
  }
}
