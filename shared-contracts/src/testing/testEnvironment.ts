import type { CallName, CallParams } from '../calls/types.ts';
import { createEventBus, type BusEvent, type EventBus } from '../events/index.ts';
import type { SlotModule } from '../slots/defineSlot.ts';
import type { SlotEnvironment } from '../slots/environment.tsx';
import { createStore, sliceState, stateChangeOf, type AppStore, type RootState } from '../store/index.ts';
import { buildState } from './builders.ts';

/** Answers to the calls of a slot, by the call's name; a call without one fails. */
export type TestCalls = Partial<Record<CallName, (params: CallParams, body: unknown) => unknown>>;

export interface TestEnvironment {
  readonly store: AppStore;
  readonly bus: EventBus;
  /** What was sent on the bus so far, in order. */
  readonly events: readonly BusEvent[];
  readonly environment: SlotEnvironment;
}

/**
 * What a slot needs to run without a shell: a store with only the parts of the
 * state that it declared, so that a missing `needs` entry shows, a bus that
 * throws at events which do not fit their schema and puts facts into the store
 * as the shell does, and calls that `calls` answer.
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
      const answer = calls[name];
      if (!answer) throw new Error(`no answer for call ${name} in this test`);
      return (await answer(params, options?.body)) as never;
    },
    attachOutlet: () => () => {},
  };
  return { store, bus, events, environment };
}
