import type { EventSchemas, InputOf, OutputOf } from './events/schema.ts';
import type { SLOT_EVENTS } from './events/slotEvents.ts';

/**
 * The types of a site. Its contract package adds them once by module augmentation, and every slot of the site is
 * checked against them.
 *
 * @example
 * ```tsx
 * import { defineSlot } from '@forecourt/slots';
 *
 * declare module '@forecourt/slots' {
 *   interface Register {
 *     state: { shelf: { genre: string } };
 *     stateKey: 'shelf.genre';
 *     calls: { newBooks: string[] };
 *   }
 * }
 * export default defineSlot({ reads: ['shelf.genre'], view: () => <p>Library</p> });
 * // renders: Library
 * ```
 */
// eslint-disable-next-line typescript/no-empty-object-type
export interface Register {}

type Registered<Name extends string, Fallback> =
  Register extends Readonly<Record<Name, infer Type>> ? Type : Fallback;

/**
 * State of a page; `Register['state']`.
 *
 * @example
 * ```tsx
 * import { defineSlot, type SlotState, usePageState } from '@forecourt/slots';
 *
 * const selectGenre = ({ shelf }: SlotState) => shelf.genre;
 * const view = () => <p>{usePageState(selectGenre)}</p>;
 * export default defineSlot({ reads: ['shelf.genre'], view });
 * // renders: novels
 * ```
 */
export type SlotState = Registered<'state', Readonly<Record<string, unknown>>>;
/** Name of a part of the state, as slots declare it in `reads`; `Register['stateKey']`. */
export type StateKey = Registered<'stateKey', string>;

/** Schemas of the site's own events and of those that every site has. */
type PageEvents = Registered<'events', EventSchemas> & typeof SLOT_EVENTS;
/** Name of an event on the page's bus. */
export type EventType = Extract<keyof PageEvents, string>;
/** Payload as a sender passes it. */
export type EventInput<T extends EventType> = InputOf<PageEvents[T]>;
/** Payload as a receiver gets it. */
export type EventPayload<T extends EventType> = OutputOf<PageEvents[T]>;

/** Response of each call by name. */
type Calls = Registered<'calls', Readonly<Record<string, unknown>>>;
/** Name of a call that slots can make. */
export type CallName = Extract<keyof Calls, string>;
/** Response of a call. */
export type CallResponse<N extends CallName> = Calls[N];
/** Path and query parameters; lists are comma-separated. */
export type CallParams = Readonly<Record<string, string>>;
