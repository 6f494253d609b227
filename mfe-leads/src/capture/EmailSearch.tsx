import type { ReactNode } from 'react';
import styles from './EmailSearch.module.css';
import type { CapturedSearch } from './useCapture.ts';
import { CaptureForm } from './CaptureForm.tsx';

/** Dialog content that subscribes to the current search. */
export function EmailSearch({ search }: { search: CapturedSearch }): ReactNode {
  return (
    <div className={styles['form']}>
      <p>
        We’ll email you about new vehicles and price drops for <strong>{search.title}</strong>.
      </p>
      <CaptureForm search={search} isFirst />
    </div>
  );
}
