import { useEffect, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import type { SlotModule } from './defineSlot.ts';
import { SlotEnvironmentProvider, type SlotEnvironment } from './environment.tsx';
import type { SlotState } from './register.ts';
import type { SlotStore } from './state/siteState.ts';

interface SlotRootProps {
  readonly module: SlotModule;
  readonly store: SlotStore;
  /**
   * State of the server's rendering: a late slot must hydrate against it rather than the current state (React
   * error 418).
   */
  readonly serverState?: SlotState | undefined;
  readonly environment: SlotEnvironment;
  readonly data: unknown;
  /** Called when the slot is interactive. */
  readonly onReady?: () => void;
}

/** The root of one slot; identical on server and in the browser, because hydration has to match. */
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
