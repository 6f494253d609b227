import type { ReactNode } from 'react';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { usePageState } from '@forecourt/shared-contracts/store';
import { Button, Icon } from '@forecourt/shared-contracts/ui';
import { useChosen } from '../search/searchEdits.tsx';
import styles from './VehicleSection.later.module.css';

/** Opens the trims of the one model that is chosen side by side (A2-UI-04, AMB-028). */
export function CompareTrimsButton(): ReactNode {
  const emit = useEmit();
  const makes = useChosen('makeCode');
  const models = useChosen('modelCode');
  const isOn = usePageState(({ session }) => session.flags['modelReference'] === true);
  if (!isOn || makes.length !== 1 || models.length !== 1) return null;
  return (
    <Button
      look="quiet"
      className={styles['compare']}
      aria-haspopup="dialog"
      onClick={() => emit('dialog.requested', { name: 'trims' })}
    >
      <Icon name="compare" size={18} />
      Compare Trims
    </Button>
  );
}
