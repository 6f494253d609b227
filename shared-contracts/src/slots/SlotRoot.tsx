import { useEffect, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import type { AppStore } from '../store/createStore.ts';
import type { RootState } from '../store/state.ts';
import type { SlotModule } from './defineSlot.ts';
import { SlotEnvironmentProvider, type SlotEnvironment } from './environment.tsx';

interface SlotRootProps {
  readonly module: SlotModule;
  readonly store: AppStore;
  /** State as of the server's rendering: a late slot must hydrate against it, not against today's (React error 418). */
  readonly serverState?: RootState | undefined;
  readonly environment: SlotEnvironment;
  readonly data: unknown;
  /** Called when the slot has become interactive. */
  readonly onReady?: () => void;
}

/** The root of one slot, the same on the server and in the browser, or hydration would not match. */
export function SlotRoot({
  module,
  store,
  serverState,
  environment,
  data,
  onReady,
}: SlotRootProps): ReactNode {
  const View = module.view;
  useEffect(() => onReady?.(), [onReady]);
  return (
    <Provider store={store} {...(serverState ? { serverState } : {})}>
      <SlotEnvironmentProvider value={environment}>
        <View data={data} />
      </SlotEnvironmentProvider>
    </Provider>
  );
}
