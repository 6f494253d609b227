import { useEffect, useState, type ReactNode } from 'react';
import { defineSlot, useSlotEnvironment } from '@forecourt/slots';
import { Loaded } from '../browser/lazyLoading.tsx';
import type { SpinVehicle } from '../spin/SpinDialog.tsx';
import '../spin/SpinDialog.later.module.css';

const loadDialog = () => import('../spin/SpinDialog.tsx').then(({ SpinDialog }) => SpinDialog);

/** Opens the requested 360° view; its code loads with the first request. */
function SpinHost(): ReactNode {
  const { listen } = useSlotEnvironment();
  const [vehicle, setVehicle] = useState<SpinVehicle>();
  const [request, setRequest] = useState(0);
  useEffect(
    () =>
      listen('listing.spinRequested', (spinRequest) => {
        setVehicle(spinRequest);
        setRequest((count) => count + 1);
      }),
    [listen],
  );
  const props = { vehicle, onClose: () => setVehicle(undefined) };
  // A new key retries after the code of an earlier request failed to load.
  return <Loaded key={request} load={loadDialog} isLoadRequested={vehicle !== undefined} props={props} />;
}

/** The 360° view of a vehicle, on every page that offers one. */
export default defineSlot({ reads: [], view: SpinHost });
