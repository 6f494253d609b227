import { render, type RenderResult } from '@testing-library/react';
import type { CallName, CallParams } from '../calls/types.ts';
import { createEventBus, type BusEvent, type EventBus } from '../events/index.ts';
import type { SlotModule } from '../slots/defineSlot.ts';
import type { SlotEnvironment } from '../slots/environment.tsx';
import { SlotRoot } from '../slots/SlotRoot.tsx';
import { createStore, sliceState, type AppStore, type RootState } from '../store/index.ts';
import { buildState } from './builders.ts';

export interface TestShell extends RenderResult {
  readonly store: AppStore;
  readonly bus: EventBus;
  /** What was sent on the bus so far, in order. */
  readonly events: readonly BusEvent[];
}

/**
 * Mounts one slot alone, as the shell would: the slot sees only the parts of
 * the state that it declared, so a missing `needs` entry shows here. Events
 * that do not fit their schema throw. Calls are answered by `calls`.
 */
export function mountInTestShell(
  module: SlotModule,
  options: {
    state?: RootState;
    data?: unknown;
    calls?: Partial<Record<CallName, (params: CallParams, body: unknown) => unknown>>;
  } = {},
): TestShell {
  const store = createStore(sliceState(options.state ?? buildState(), module.needs));
  const events: BusEvent[] = [];
  const bus = createEventBus(({ type, reason }) => {
    throw new Error(`event ${type} refused: ${reason}`);
  });
  bus.all.subscribe((event) => events.push(event));
  const environment: SlotEnvironment = {
    slot: 'test',
    emit: (type, payload) => bus.emit(type, payload, 'test'),
    listen: (type, receive) => {
      const subscription = bus.on(type).subscribe(receive);
      return () => subscription.unsubscribe();
    },
    call: async (name, params, callOptions) => {
      const answer = options.calls?.[name];
      if (!answer) throw new Error(`no answer for call ${name} in this test`);
      return (await answer(params, callOptions?.body)) as never;
    },
    attachOutlet: () => () => {},
  };
  const result = render(
    <SlotRoot module={module} store={store} environment={environment} data={options.data} />,
  );
  return Object.assign(result, { store, bus, events });
}
