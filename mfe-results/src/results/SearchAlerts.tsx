import type { ReactNode } from 'react';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { usePageState } from '@forecourt/shared-contracts/store';
import { Button } from '@forecourt/shared-contracts/ui';
import { searchedMakeModel } from './headerLinks.ts';
import styles from './SearchAlerts.module.css';
import { selectSearch } from '../selectSearch.ts';

/** What stands above the results: an expired vehicle, a notice, a failed search. */
export function SearchAlerts(): ReactNode {
  const search = usePageState(selectSearch);
  const emit = useEmit();
  const { criteria, notice, status } = search;
  return (
    <>
      {criteria.expiredListing && (
        <div className={styles['alert']}>
          <p className={styles['lead']}>
            {`We're sorry, the ${searchedMakeModel(search) ?? 'vehicle'} you were looking for is no longer available.`}
          </p>
          <p>Here are vehicles you may be interested in.</p>
        </div>
      )}
      {notice && (
        <p role="status" className={styles['alert']}>
          {notice}
        </p>
      )}
      {status === 'failed' && (
        <div role="alert" className={`${styles['alert']} ${styles['error']}`}>
          <p className={styles['lead']}>We are sorry. There was an issue with your last search.</p>
          <Button onClick={() => emit('search.retryRequested', {})}>Please try again</Button>
        </div>
      )}
    </>
  );
}
