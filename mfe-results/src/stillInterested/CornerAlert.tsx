import { type ReactNode, useState } from 'react';
import { selectFlag } from '@forecourt/search/state';
import { usePageState } from '@forecourt/slots';
import { notificationDone } from './findVehicle.ts';
import type { CornerPlacement } from './CornerCard.tsx';
import { StillInterestedAlert } from './StillInterestedAlert.tsx';
import { WalletNotification } from './WalletNotification.tsx';
import { useInterestingVehicle } from './useInterestingVehicle.ts';

/**
 * The alert in the corner of the screen: still-interested, or, once per session, the wallet notification
 * instead.
 */
export function CornerAlert(placement: CornerPlacement): ReactNode {
  const hasNotification = usePageState(selectFlag('walletNotification'));
  const [isDone, setDone] = useState(notificationDone.read);
  const { vehicle, dismiss, lookForAnother } = useInterestingVehicle(!(hasNotification && isDone));
  if (!vehicle) return null;
  if (!hasNotification)
    return (
      <StillInterestedAlert {...placement} vehicle={vehicle} onDismiss={dismiss} onOpened={lookForAnother} />
    );
  const finish = () => {
    notificationDone.write(true);
    setDone(true);
  };
  return <WalletNotification {...placement} onDone={finish} />;
}
