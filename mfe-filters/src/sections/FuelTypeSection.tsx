import type { ReactNode } from 'react';
import { useEmit } from '@forecourt/slots';
import { Button, Icon } from '@forecourt/slots/ui';
import type { PanelSection } from './panelSections.ts';
import styles from './FuelTypeSection.later.module.css';
import { CheckboxSection } from './CheckboxSection.tsx';

/** Fuels, and a dialog that explains electric vehicle types. */
export function FuelTypeSection({ panel }: { panel: PanelSection }): ReactNode {
  const emit = useEmit();
  return (
    <>
      <CheckboxSection panel={panel} />
      <Button
        look="quiet"
        className={styles['about']}
        aria-haspopup="dialog"
        onClick={() => emit('dialog.requested', { name: 'electricVehicles' })}
      >
        <Icon name="info" size={18} />
        Electric vehicle types
      </Button>
    </>
  );
}
