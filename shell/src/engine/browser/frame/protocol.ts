import type { EventType } from '@forecourt/slots/events';

/** What the document of a frame sends to the page first, to get its port. */
export const HELLO = 'forecourt:frame';

/** Parts of the state by name, e.g. 'session', or 'shelf.books' for a member of a part. */
export type StateParts = Readonly<Record<string, unknown>>;

/** From the page, which a frame trusts, with the port. */
export interface FrameStart {
  /** URL of the page, to which links are relative. */
  readonly url: string;
  readonly brand: string;
  readonly parts: StateParts;
  /** Whether the server has rendered the slot, and the result of its `load` there. */
  readonly isRendered: boolean;
  readonly data: unknown;
}

/** From the page, over the port. */
export type PageMessage =
  | { readonly kind: 'state'; readonly parts: StateParts }
  | { readonly kind: 'event'; readonly type: EventType; readonly payload: unknown }
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly code: string; readonly status: number };

/** From a frame, over the port, as JSON: nothing but plain data comes out of it. */
export type FrameMessage =
  | { readonly kind: 'ready' }
  /** px */
  | { readonly kind: 'size'; readonly height: number }
  | { readonly kind: 'emit'; readonly type: EventType; readonly payload: unknown }
  | { readonly kind: 'listen'; readonly type: EventType }
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly name: string;
      readonly params: Readonly<Record<string, string>>;
      readonly body?: unknown;
      readonly idempotencyKey?: string | undefined;
    }
  | { readonly kind: 'abort'; readonly id: number }
  /** The visitor followed a link. */
  | { readonly kind: 'follow'; readonly url: string; readonly isNewTab: boolean }
  /** After `render` the frame shows nothing. */
  | { readonly kind: 'error'; readonly phase: 'load' | 'render'; readonly message: string };

/** Limit of a call's body. */
const MAX_MESSAGE_CHARACTERS = 64 * 1024;

type Check = (value: unknown) => boolean;

const wholeNumber: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const text =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const anyText = text(/^[^]{0,2000}$/);
const event = anyText;
const texts: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(anyText);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const anything: Check = () => true;

/** Kind to its fields. A call's name becomes part of a path, and its key a header. */
const FIELDS: { readonly [K in FrameMessage['kind']]: Readonly<Record<string, Check>> } = {
  ready: {},
  size: { height: wholeNumber },
  emit: { type: event, payload: anything },
  listen: { type: event },
  call: {
    id: wholeNumber,
    name: text(/^[A-Za-z]{1,40}$/),
    params: texts,
    body: anything,
    idempotencyKey: optional(text(/^[\x21-\x7e]{8,80}$/)),
  },
  abort: { id: wholeNumber },
  follow: { url: anyText, isNewTab: (value) => typeof value === 'boolean' },
  error: { phase: text(/^(?:load|render)$/), message: anyText },
};

/**
 * Reads what a frame sent; undefined for what the code of the shell in the frame never sends. `siteEvents`: types of all
 * events of the site.
 */
export function parseFrameMessage(data: unknown, siteEvents: readonly string[]): FrameMessage | undefined {
  if (typeof data !== 'string' || data.length > MAX_MESSAGE_CHARACTERS) return undefined;
  let message: unknown;
  try {
    message = JSON.parse(data);
  } catch {
    return undefined;
  }
  if (typeof message !== 'object' || message === null) return undefined;
  const values = message as Readonly<Record<string, unknown>>;
  const kind = Object.hasOwn(values, 'kind') ? values['kind'] : undefined;
  if (typeof kind !== 'string' || !Object.hasOwn(FIELDS, kind)) return undefined;
  const fields = FIELDS[kind as FrameMessage['kind']];
  const valueOf = (name: string) => (Object.hasOwn(values, name) ? values[name] : undefined);
  const isValid =
    Object.keys(values).every((name) => name === 'kind' || Object.hasOwn(fields, name)) &&
    Object.entries(fields).every(([name, check]) => check(valueOf(name))) &&
    (fields['type'] === undefined || siteEvents.includes(valueOf('type') as string));
  return isValid ? (values as unknown as FrameMessage) : undefined;
}
