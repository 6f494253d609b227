import { createContext, useCallback, useContext, useEffect, useRef, type ReactNode } from 'react';
import type { CallName, CallParams, CallResponse, EventInput, EventPayload, EventType } from './register.ts';

/**
 * Makes a call of the site: through the gateway on the server, through the page's own origin in the browser.
 * A repeated write with the same `idempotencyKey` is stored once; bodies with a field of that name don't need
 * it.
 *
 * @example
 * ```tsx
 * import { type Call, defineSlot } from '@forecourt/slots';
 *
 * const newBooks = (call: Call, genre: string) => call('newBooks', { genre });
 * export default defineSlot<string[]>({
 *   reads: [],
 *   load: ({ call }) => newBooks(call, 'novels'),
 *   view: ({ data }) => <p>{data?.length} new books</p>,
 * });
 * // renders: 2 new books
 * ```
 */
export type Call = <N extends CallName>(
  name: N,
  params: CallParams,
  options?: { body?: unknown; signal?: AbortSignal; idempotencyKey?: string },
) => Promise<CallResponse<N>>;

/**
 * Services that the shell passes to a mounted slot. On the server, effects never run, so `emit` and outlets
 * do nothing.
 *
 * @example
 * ```tsx
 * import { defineSlot, type SlotEnvironment, useSlotEnvironment } from '@forecourt/slots';
 *
 * const renew = ({ call }: SlotEnvironment, id: string) => call('renew', {}, { body: { id } });
 * function RenewButton() {
 *   const environment = useSlotEnvironment();
 *   return <button onClick={() => void renew(environment, '1')}>Renew in {environment.slot}</button>;
 * }
 * export default defineSlot({ reads: [], view: RenewButton });
 * // renders: Renew in example
 * ```
 */
export interface SlotEnvironment {
  readonly slot: string;
  readonly emit: <T extends EventType>(type: T, payload: EventInput<T>) => void;
  /** Subscribes to an event; returns the unsubscribe function. */
  readonly listen: <T extends EventType>(type: T, receive: (payload: EventPayload<T>) => void) => () => void;
  readonly call: Call;
  /**
   * While an overlay (dialog, sheet) is open, the browser's Back button calls `close` instead of leaving the
   * page. Returns a function that ends this. Missing without a browser history.
   */
  readonly interceptBack?: (close: () => void) => () => void;
  /** Lets the shell fill an outlet with another remote's slot; returns a function that empties it. */
  readonly attachOutlet: (name: string, element: HTMLElement) => () => void;
}

const SlotEnvironmentContext = createContext<SlotEnvironment | null>(null);

export function SlotEnvironmentProvider(props: { value: SlotEnvironment; children: ReactNode }): ReactNode {
  return <SlotEnvironmentContext value={props.value}>{props.children}</SlotEnvironmentContext>;
}

/**
 * The slot's environment; throws outside of a mounted slot.
 *
 * @example
 * ```tsx
 * import { useEffect, useState } from 'react';
 * import { defineSlot, useSlotEnvironment } from '@forecourt/slots';
 *
 * function Announcements() {
 *   const { listen } = useSlotEnvironment();
 *   const [message, setMessage] = useState('nothing yet');
 *   useEffect(() => listen('page.announced', (event) => setMessage(event.message)), [listen]);
 *   return <output>{message}</output>;
 * }
 * export default defineSlot({ reads: [], view: Announcements });
 * // renders: nothing yet
 * ```
 */
export function useSlotEnvironment(): SlotEnvironment {
  const environment = useContext(SlotEnvironmentContext);
  if (!environment) throw new Error('useSlotEnvironment must be used inside a slot');
  return environment;
}

/**
 * Makes Back call `close` while `isOpen`; a no-op outside of a slot.
 *
 * @example
 * ```tsx
 * import { useState } from 'react';
 * import { defineSlot, useCloseOnBack } from '@forecourt/slots';
 *
 * function Sheet() {
 *   const [isOpen, setOpen] = useState(true);
 *   useCloseOnBack(isOpen, () => setOpen(false));
 *   return isOpen ? <aside>Opening hours</aside> : null;
 * }
 * export default defineSlot({ reads: [], view: Sheet });
 * // renders: Opening hours
 * ```
 */
export function useCloseOnBack(isOpen: boolean, close: () => void): void {
  const interceptBack = useContext(SlotEnvironmentContext)?.interceptBack;
  const newest = useRef(close);
  useEffect(() => {
    newest.current = close;
  });
  useEffect(
    () => (isOpen && interceptBack ? interceptBack(() => newest.current()) : undefined),
    [isOpen, interceptBack],
  );
}

/**
 * Sends events with the slot as sender.
 *
 * @example
 * ```tsx
 * import { defineSlot, useEmit } from '@forecourt/slots';
 *
 * function RenewButton() {
 *   const emit = useEmit();
 *   return <button onClick={() => emit('page.announced', { message: 'Renewed' })}>Renew</button>;
 * }
 * export default defineSlot({ reads: [], view: RenewButton });
 * // renders: Renew
 * ```
 */
export function useEmit(): SlotEnvironment['emit'] {
  return useSlotEnvironment().emit;
}

/**
 * A place inside a slot's view that another remote fills in the browser. Reserve its size with `className`.
 *
 * @example
 * ```tsx
 * import { defineSlot, SlotOutlet } from '@forecourt/slots';
 *
 * const view = () => (
 *   <article>
 *     Emma <SlotOutlet name="reviews" className="reserved" />
 *   </article>
 * );
 * export default defineSlot({ reads: [], view });
 * // renders: Emma
 * ```
 */
export function SlotOutlet(props: {
  name: string;
  className?: string;
  /** It replaces a control; marked with `data-inline`. */
  isInline?: boolean;
}): ReactNode {
  const { attachOutlet } = useSlotEnvironment();
  const { name } = props;
  const attach = useCallback(
    (element: HTMLElement | null) => (element ? attachOutlet(name, element) : undefined),
    [attachOutlet, name],
  );
  return (
    <div
      ref={attach}
      className={props.className}
      data-outlet={name}
      data-inline={props.isInline || undefined}
      suppressHydrationWarning
    />
  );
}
