import type { ComponentType } from 'react';
import type { Call } from './environment.tsx';
import type { SlotState, StateKey } from './register.ts';

/**
 * Context of `load`. `state` contains only the parts that the slot named in `reads`.
 *
 * @example
 * ```tsx
 * import { defineSlot, type LoadContext } from '@forecourt/slots';
 *
 * async function loadBooks({ state, call, signal }: LoadContext): Promise<string[]> {
 *   return call('newBooks', { genre: state.shelf.genre }, { signal });
 * }
 * export default defineSlot({
 *   reads: ['shelf.genre'],
 *   load: loadBooks,
 *   view: ({ data }) => <p>{data?.join(', ')}</p>,
 * });
 * // renders: Emma, Persuasion
 * ```
 */
export interface LoadContext {
  readonly state: SlotState;
  readonly call: Call;
  /** Aborted at the slot's deadline or when the visitor navigates. */
  readonly signal: AbortSignal;
}

/**
 * Data for the page's head; the shell escapes it.
 *
 * @example
 * ```tsx
 * import { defineSlot, type PageHead } from '@forecourt/slots';
 *
 * const head = (title: string): PageHead => ({
 *   title,
 *   description: `Read ${title}.`,
 *   canonical: '/books/emma',
 *   isIndexed: true,
 * });
 * export default defineSlot({ reads: [], page: () => head('Emma'), view: () => <h1>Emma</h1> });
 * // renders: Emma
 * ```
 */
export interface PageHead {
  readonly title: string;
  readonly description: string;
  /** Path and query that search engines should index; same origin. */
  readonly canonical: string;
  readonly isIndexed: boolean;
  /** URL of the largest image in the first view, to be preloaded. */
  readonly heroImage?: string | undefined;
  /** URL of a JPEG of 1200 × 630 px, which chats and social networks show with a link to the page. */
  readonly shareImage?: string | undefined;
  /** Path and query to return to after signing in; default: the request's own. */
  readonly returnPath?: string | undefined;
  /** HTTP status; default 200. */
  readonly status?: 200 | 404 | 410 | 503;
}

/** Outcome of a page's main slot: its head, or a redirect (same-origin path and query). */
export type PageOutcome = PageHead | { readonly redirect: string; readonly status: 301 | 302 };

interface SlotDefinition<Data> {
  /** Parts of the store that `load`, `loadKey` and `view` read; the server passes only these. */
  readonly reads: readonly StateKey[];
  /** Loads the slot's own data. JSON only, because it is sent to the browser for hydration. */
  readonly load?: (context: LoadContext) => Promise<Data>;
  /** The browser loads the data again when this key changes; without it, never. */
  readonly loadKey?: (state: SlotState) => string;
  /**
   * Returns false if parts of the server's data were late; the browser then loads them again. Default: true.
   */
  readonly isComplete?: (data: Data) => boolean;
  /**
   * The slot's JSON-LD for search engines (https://schema.org); undefined for none. Part of the server's HTML
   * only.
   */
  readonly structuredData?: (input: { state: SlotState; data: Data }) => object | undefined;
  /**
   * For the main slot of a page kind other than the results: runs on the server after `load`, before the head
   * is sent. Without it, the slot is not a main slot.
   */
  readonly page?: (input: { state: SlotState; data: Data }) => PageOutcome;
  /** `data` is undefined without `load`, or until it has loaded. */
  readonly view: ComponentType<{ data: Data | undefined }>;
}

/**
 * A slot as `defineSlot` returns it, e.g. for a function that wraps one.
 *
 * @example
 * ```tsx
 * import { defineSlot, type SlotModule } from '@forecourt/slots';
 *
 * const inSection = ({ view: View, ...slot }: SlotModule) =>
 *   defineSlot({ ...slot, view: (props) => <section><View {...props} /></section> });
 * export default inSection(defineSlot({ reads: [], view: () => <p>Open until 6</p> }));
 * // renders: Open until 6
 * ```
 */
export interface SlotModule<Data = unknown> extends SlotDefinition<Data> {
  readonly kind: 'forecourt.slot';
}

/**
 * Defines a remote's slot module. Rendering on the server, hydration, store and bus are handled by the
 * contract. The type of the data ends here, because `view` only ever receives the data of the same slot's
 * `load`.
 *
 * @example
 * ```tsx
 * import { defineSlot } from '@forecourt/slots';
 *
 * export default defineSlot<string[]>({
 *   reads: ['shelf.genre'],
 *   load: ({ state, call }) => call('newBooks', { genre: state.shelf.genre }),
 *   loadKey: (state) => state.shelf.genre,
 *   view: ({ data }) => <ul>{data?.map((title) => <li key={title}>{title}</li>)}</ul>,
 * });
 * // renders: Emma
 * ```
 */
export function defineSlot<Data = unknown>(definition: SlotDefinition<Data>): SlotModule {
  return { kind: 'forecourt.slot', ...definition } as SlotModule;
}
