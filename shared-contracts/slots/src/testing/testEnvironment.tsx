import { guardReads, sliceState } from '../state/slices.ts';
import { createEventBus, type BusEvent, type EventBus } from '../events/eventBus.ts';
import type { SlotModule } from '../defineSlot.ts';
import type { SlotEnvironment } from '../environment.tsx';
import { SlotRoot } from '../SlotRoot.tsx';
import type { CallName, CallParams, SlotState } from '../register.ts';
import type { EventSchemas } from '../events/schema.ts';
import type { SiteState, SlotStore } from '../state/siteState.ts';
import { render, type RenderResult } from '@testing-library/react';

/** What tests of slots need to know about a site. */
export interface TestedSite {
  readonly state: SiteState;
  readonly events: EventSchemas;
  /** State of a test that passes none. */
  readonly defaultState: () => SlotState;
}

/** Responses to the slot's calls, by name; a call without one fails. */
export type TestCalls = Partial<Record<CallName, (params: CallParams, body: unknown) => unknown>>;

export interface TestEnvironment {
  readonly store: SlotStore;
  readonly bus: EventBus;
  /** All emitted events, in order. */
  readonly events: readonly BusEvent[];
  readonly environment: SlotEnvironment;
}

/**
 * Runs a slot without a shell: a store with only the declared parts of the state, so that a missing `reads`
 * entry shows; a bus that throws for invalid events and applies facts to the store like the shell; and the
 * responses of `calls`.
 */
export function createTestEnvironment(
  site: TestedSite,
  module: SlotModule,
  {
    state = site.defaultState(),
    calls = {},
  }: { state?: SlotState | undefined; calls?: TestCalls | undefined } = {},
): TestEnvironment {
  const store = site.state.createStore(sliceState(site.state, state, module.reads));
  const events: BusEvent[] = [];
  const bus = createEventBus(site.events, ({ type, reason }) => {
    throw new Error(`event ${type} refused: ${reason}`);
  });
  bus.all.subscribe((event) => {
    events.push(event);
    const change = site.state.changeOf(event);
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

export interface TestShell extends RenderResult {
  readonly store: SlotStore;
  readonly bus: EventBus;
  /** All emitted events, in order. */
  readonly events: readonly BusEvent[];
}

/**
 * Mounts one slot alone for a test, with `createTestEnvironment`. Throws when the view reads a part of the state that is
 * not in `reads`.
 */
export function mountInTestShell(
  site: TestedSite,
  module: SlotModule,
  options: { state?: SlotState; data?: unknown; calls?: TestCalls } = {},
): TestShell {
  const { store, bus, events, environment } = createTestEnvironment(site, module, options);
  const result = render(
    <SlotRoot
      module={module}
      store={guardReads(site.state, store, module.reads, environment.slot)}
      environment={environment}
      data={options.data}
    />,
  );
  return Object.assign(result, { store, bus, events });
}
