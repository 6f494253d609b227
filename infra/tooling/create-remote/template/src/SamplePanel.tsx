import { useId } from 'react';
import { selectIsLoading, usePageState } from '@forecourt/shared-contracts/store';
import styles from './SamplePanel.module.css';

const vehiclesMatch = (count: number): string =>
  count === 1 ? '1 vehicle matches' : `${count.toLocaleString('en-US')} vehicles match`;

/** Shows how many vehicles match the search. */
export function SamplePanel() {
  const headingId = useId();
  const count = usePageState(({ search }) => search.totalResultCount);
  const isLoading = usePageState(selectIsLoading);
  return (
    <section className={styles['panel']} aria-labelledby={headingId} aria-busy={isLoading}>
      <h2 id={headingId} className={styles['heading']}>
        Sample panel
      </h2>
      <p>{vehiclesMatch(count)}</p>
    </section>
  );
}
