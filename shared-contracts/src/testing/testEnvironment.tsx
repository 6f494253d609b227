import type { CallName, CallParams } from '../calls/index.ts';
import { createEventBus, type BusEvent, type EventBus } from '../events/index.ts';
import type { SlotModule } from '../slots/defineSlot.ts';
import type { SlotEnvironment } from '../slots/environment.tsx';
import { SlotRoot } from '../slots/SlotRoot.tsx';
import { createStore, sliceState, type AppStore, guardReads, stateChangeOf } from '../store/createStore.ts';
import type { RootState } from '../store/state.ts';
import { buildState } from './builders.ts';
import { render, type RenderResult } from '@testing-library/react';

/** Responses to the slot's calls, by name; a call without one fails. */
export type TestCalls = Partial<Record<CallName, (params: CallParams, body: unknown) => unknown>>;

export interface TestEnvironment {
  readonly store: AppStore;
  readonly bus: EventBus;
  /** All emitted events, in order. */
  readonly events: readonly BusEvent[];
  readonly environment: SlotEnvironment;
}

/**
 * Runs a slot without a shell: a store with only the declared parts of the state, so that a missing `needs`
 * entry shows; a bus that throws for invalid events and applies facts to the store like the shell; and the
 * responses of `calls`.
 */
export function createTestEnvironment(
  module: SlotModule,
  { state = buildState(), calls = {} }: { state?: RootState | undefined; calls?: TestCalls | undefined } = {},
): TestEnvironment {
  const store = createStore(sliceState(state, module.needs));
  const events: BusEvent[] = [];
  const bus = createEventBus(({ type, reason }) => {
    throw new Error(`event ${type} refused: ${reason}`);
  });
  bus.all.subscribe((event) => {
    events.push(event);
    const change = stateChangeOf(event);
    if (change) store.dispatch(change);
  });
  const environment: SlotEnvironment = {
    slot: 'test',
    emit: (type, payload) => bus.emit(type, payload, 'test'),
    listen: (type, receive) => {
      const subscription = bus.on(type).subscribe(receive);
      return () => subscription.unsubscribe();
    },
    call: async (name, params, options) => {
      const respond = calls[name];
      if (!respond) throw new Error(`no response for call ${name} in this test`);
      return (await respond(params, options?.body)) as never;
    },
    attachOutlet: () => () => {},
  };
  return { store, bus, events, environment };
}

interface TestShell extends RenderResult {
  readonly store: AppStore;
  readonly bus: EventBus;
  /** All emitted events, in order. */
  readonly events: readonly BusEvent[];
}

/**
 * Mounts one slot alone for a test, with `createTestEnvironment`. Throws when the view reads a part of the state that is
 * not in `needs`.
 */
export function mountInTestShell(
  module: SlotModule,
  options: { state?: RootState; data?: unknown; calls?: TestCalls } = {},
): TestShell {
  const { store, bus, events, environment } = createTestEnvironment(module, options);
  const result = render(
    <SlotRoot
      module={module}
      store={guardReads(store, module.needs, environment.slot)}
      environment={environment}
      data={options.data}
    />,
  );
  return Object.assign(result, { store, bus, events });
}
