import { useState, type ReactNode } from 'react';
import { Button, Dialog, Skeleton } from '@forecourt/shared-contracts/ui';
import { SpinStage, useFrames } from './SpinStage.tsx';
import styles from './SpinDialog.later.module.css';

export interface SpinVehicle {
  readonly listingId: string;
  readonly title: string;
}

/** The 360° view of a vehicle (A3-LISTING-08). It never turns automatically. */
export function SpinDialog(props: { vehicle: SpinVehicle | undefined; onClose: () => void }): ReactNode {
  const { vehicle, onClose } = props;
  return (
    <Dialog open={vehicle !== undefined} title={vehicle?.title ?? ''} onClose={onClose} wide>
      {vehicle && <SpinContent key={vehicle.listingId} {...vehicle} />}
    </Dialog>
  );
}

function SpinContent({ listingId, title }: SpinVehicle): ReactNode {
  const [attempt, setAttempt] = useState(0);
  const state = useFrames(listingId, attempt);
  if (state === 'failed')
    return (
      <div className={styles['failed']} role="alert">
        <p>The 360° view could not be loaded.</p>
        <Button onClick={() => setAttempt(attempt + 1)}>Try again</Button>
      </div>
    );
  if (state === 'loading')
    return (
      <div className={styles['waiting']} role="status" aria-label="Loading the 360° view">
        <Skeleton height="100%" />
      </div>
    );
  return <SpinStage title={title} {...state} />;
}
