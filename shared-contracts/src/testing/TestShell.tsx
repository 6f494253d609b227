import { render, type RenderResult } from '@testing-library/react';
import type { BusEvent, EventBus } from '../events/index.ts';
import type { SlotModule } from '../slots/defineSlot.ts';
import { SlotRoot } from '../slots/SlotRoot.tsx';
import type { AppStore, RootState } from '../store/index.ts';
import { createTestEnvironment, type TestCalls } from './testEnvironment.ts';

export interface TestShell extends RenderResult {
  readonly store: AppStore;
  readonly bus: EventBus;
  /** What was sent on the bus so far, in order. */
  readonly events: readonly BusEvent[];
}

/** Mounts one slot alone for a test, in the environment of `createTestEnvironment`. */
export function mountInTestShell(
  module: SlotModule,
  options: { state?: RootState; data?: unknown; calls?: TestCalls } = {},
): TestShell {
  const { store, bus, events, environment } = createTestEnvironment(module, options);
  const result = render(
    <SlotRoot module={module} store={store} environment={environment} data={options.data} />,
  );
  return Object.assign(result, { store, bus, events });
}
