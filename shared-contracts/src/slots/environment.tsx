import { createContext, useCallback, useContext, useEffect, useRef, type ReactNode } from 'react';
import type { CallResponses, CallName, CallParams } from '../calls/table.ts';
import type { EventInput, EventPayload, EventType } from '../events/eventSchemas.ts';

/**
 * Runs one call of the table: through the gateway on the server, the page's
 * own origin in the browser. A write with the `idempotencyKey` of an earlier
 * one, whose answer was lost, is stored once; bodies with a field of that name
 * need none.
 */
export type Call = <N extends CallName>(
  name: N,
  params: CallParams,
  options?: { body?: unknown; signal?: AbortSignal; idempotencyKey?: string },
) => Promise<CallResponses[N]>;

/** What the shell gives a mounted slot. On the server, effects never run, so `emit` and outlets are idle there. */
export interface SlotEnvironment {
  readonly slot: string;
  readonly emit: <T extends EventType>(type: T, payload: EventInput<T>) => void;
  /** Subscribes to an event; the answer unsubscribes. */
  readonly listen: <T extends EventType>(type: T, receive: (payload: EventPayload<T>) => void) => () => void;
  readonly call: Call;
  /**
   * While something stands over the page (a dialog, a sheet), the browser's
   * Back calls `close` instead of leaving the search. The answer gives Back
   * free again. Missing where no browser history is kept.
   */
  readonly interceptBack?: (close: () => void) => () => void;
  /** Lets the shell fill an outlet with another remote's slot; the answer empties it. */
  readonly attachOutlet: (name: string, element: HTMLElement) => () => void;
}

const SlotEnvironmentContext = createContext<SlotEnvironment | null>(null);

export function SlotEnvironmentProvider(props: { value: SlotEnvironment; children: ReactNode }): ReactNode {
  return <SlotEnvironmentContext value={props.value}>{props.children}</SlotEnvironmentContext>;
}

/** The slot's environment; throws outside of a mounted slot. */
export function useSlotEnvironment(): SlotEnvironment {
  const environment = useContext(SlotEnvironmentContext);
  if (!environment) throw new Error('useSlotEnvironment is only for components inside a slot');
  return environment;
}

/** Lets Back call `close` while `isOpen`; also outside of a slot, where it does nothing. */
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

/** `emit('lead.requested', { … })` with the slot as sender. */
export function useEmit(): SlotEnvironment['emit'] {
  return useSlotEnvironment().emit;
}

/** A place inside a slot's view that another remote fills in the browser. Reserve its size by `className`. */
export function SlotOutlet(props: {
  name: string;
  className?: string;
  /** It stands in the place of a control; others can tell by `data-inline`. */
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
