import type { ReactNode } from 'react';
import styles from '../form/form.module.css';
import { CaptureForm } from './CaptureForm.tsx';
import type { WantedSearch } from './subscribe.ts';

/** The dialog that takes an address for the search at hand (B2-MODAL-11, A4-SAVE-01). */
export function EmailSearch({ search }: { search: WantedSearch }): ReactNode {
  return (
    <div className={styles['form']}>
      <p>
        We write when there are new vehicles or lower prices for <strong>{search.title}</strong>.
      </p>
      <CaptureForm search={search} isFirst />
    </div>
  );
}
