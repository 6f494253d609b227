import { useEffect, useState, type ReactNode } from 'react';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { Loaded } from '../browser/Loaded.tsx';
import type { SpunVehicle } from './SpinDialog.tsx';

const loadDialog = () => import('./SpinDialog.tsx').then(({ SpinDialog }) => SpinDialog);

/** Opens the 360 view that is asked for; its code is fetched with the first one. */
export function SpinHost(): ReactNode {
  const { listen } = useSlotEnvironment();
  const [vehicle, setVehicle] = useState<SpunVehicle>();
  const [request, setRequest] = useState(0);
  useEffect(
    () =>
      listen('listing.spinRequested', (wanted) => {
        setVehicle(wanted);
        setRequest((count) => count + 1);
      }),
    [listen],
  );
  const props = { vehicle, onClose: () => setVehicle(undefined) };
  // A request after one whose code did not come tries again.
  return <Loaded key={request} load={loadDialog} isWanted={vehicle !== undefined} props={props} />;
}
