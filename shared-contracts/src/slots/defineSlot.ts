import type { ComponentType } from 'react';
import type { RootState, StateKey } from '../store/state.ts';
import type { Call } from './environment.tsx';

/** What `load` may use. `state` holds only what the slot named in `needs`. */
export interface LoadContext {
  readonly state: RootState;
  readonly call: Call;
  /** Aborted at the slot's deadline or when the visitor moves on. */
  readonly signal: AbortSignal;
}

/** What the shell writes into the head of a page, escaped. */
export interface PageHead {
  readonly title: string;
  readonly description: string;
  /** Path and query that search engines should index; same origin. */
  readonly canonical: string;
  readonly isIndexed: boolean;
  /** URL of the largest image in the first view, to be preloaded. */
  readonly heroImage?: string | undefined;
  /** Path and query to come back to after signing in; default: the request's own. */
  readonly returnPath?: string | undefined;
  /** HTTP status; default 200. */
  readonly status?: 200 | 404 | 503;
}

/** Answer of a page's main slot: its head, or where the visitor goes instead (same-origin path and query). */
export type PageOutcome = PageHead | { readonly redirect: string; readonly status: 301 | 302 };

export interface SlotDefinition<Data> {
  /** Parts of the store which `load`, `loadKey` and `view` read; the server gives the slot only these. */
  readonly needs: readonly StateKey[];
  /** Fetches the slot's own data, JSON only: it travels to the browser for hydration. */
  readonly load?: (context: LoadContext) => Promise<Data>;
  /** The data is loaded again in the browser when this answer changes. Without it: never. */
  readonly loadKey?: (state: RootState) => string;
  /** False for the server's data when parts of them were late: they are loaded again in the browser. Without it: true. */
  readonly isComplete?: (data: Data) => boolean;
  /**
   * What search engines shall know of the slot, as JSON-LD (https://schema.org); undefined: nothing. Written beside
   * the server's HTML only.
   */
  readonly structuredData?: (input: { state: RootState; data: Data }) => object | undefined;
  /**
   * For the main slot of a page kind other than the results: runs on the server after `load`, before the head is
   * sent. Missing: the slot is part of a page, not its main slot.
   */
  readonly page?: (input: { state: RootState; data: Data }) => PageOutcome;
  /** `data` is undefined without `load`, or until it has answered. */
  readonly view: ComponentType<{ data: Data | undefined }>;
}

export interface SlotModule<Data = unknown> extends SlotDefinition<Data> {
  readonly kind: 'forecourt.slot';
}

/**
 * A remote's module for one slot. Writing a remote is writing React: rendering
 * on the server, hydration, store and bus are the contract's business. Who mounts
 * a slot hands `view` only what the same slot's `load` answered, so the type of
 * the data ends here.
 */
export function defineSlot<Data = unknown>(definition: SlotDefinition<Data>): SlotModule {
  return { kind: 'forecourt.slot', ...definition } as SlotModule;
}

/** Is this what a container exposes for a slot? `value` is foreign: a remote may export anything. */
export function isSlotModule(value: unknown): value is SlotModule {
  const candidate = value as Partial<SlotModule> | null | undefined;
  return (
    candidate?.kind === 'forecourt.slot' &&
    typeof candidate.view === 'function' &&
    Array.isArray(candidate.needs) &&
    (candidate.load === undefined || typeof candidate.load === 'function') &&
    (candidate.structuredData === undefined || typeof candidate.structuredData === 'function')
  );
}
