import { useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { usePageState, useEmit } from '@forecourt/slots';
import { Button } from '@forecourt/slots/ui';
import { selectSearch } from '../search/SearchLink.tsx';
import styles from './SearchAlerts.module.css';
import { searchedMakeModel } from './searchedMakeModel.ts';

/** Messages above the results: an expired vehicle, a notice, a failed search. */
export function SearchAlerts(): ReactNode {
  const search = usePageState(selectSearch);
  const { adjustment, criteria, notice, status } = search;
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
      {adjustment && (
        <p role="status" className={styles['alert']}>
          {adjustment.text}
          {adjustment.undo && (
            <>
              {' '}
              <a href={adjustment.undo.href}>{adjustment.undo.label}</a>
            </>
          )}
        </p>
      )}
      {status === 'failed' && <FailedSearch />}
    </>
  );
}

function followConnection(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}

/** Whether the browser has no network; false on the server. */
const useOffline = (): boolean =>
  useSyncExternalStore(
    followConnection,
    () => !navigator.onLine,
    () => false,
  );

/** Says why the vehicles below don't fit the filters, and searches again when the network is back. */
function FailedSearch(): ReactNode {
  const emit = useEmit();
  const isOffline = useOffline();
  useEffect(() => {
    const retry = () => emit('search.retryRequested', {});
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [emit]);
  return (
    <div role="alert" className={`${styles['alert']} ${styles['error']}`}>
      <div>
        <p className={styles['lead']}>
          {isOffline
            ? 'You’re offline. We’ll search again when you’re back online.'
            : 'We are sorry. There was an issue with your last search.'}
        </p>
        <p>These vehicles are from your previous search.</p>
      </div>
      <Button onClick={() => emit('search.retryRequested', {})}>Please try again</Button>
    </div>
  );
}
