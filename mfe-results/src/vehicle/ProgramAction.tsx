import type { ReactNode } from 'react';
import { useEmit } from '@forecourt/slots';
import { buttonClass } from '@forecourt/slots/ui';
import type { ProgramLink } from './loadVehicle.ts';
import styles from './ProgramAction.module.css';

/** Opens what a certified vehicle's program offers. */
export function ProgramAction({ program }: { program: ProgramLink }): ReactNode {
  const { productId, linkText, cpoTile } = program;
  const emit = useEmit();
  return (
    <p className={styles['scripted']}>
      <button
        type="button"
        className={buttonClass('secondary')}
        onClick={() => emit('dialog.requested', { name: 'certifiedProgram', productId })}
      >
        <img src={cpoTile} alt="" width={80} height={16} /> {linkText}
      </button>
    </p>
  );
}
