import { selectIsLoading } from '@forecourt/search/state';
import { defineSlot, usePageState } from '@forecourt/slots';
import { useId } from 'react';
import styles from './sample-panel.module.css';

const vehiclesMatch = (count: number): string =>
  count === 1 ? '1 vehicle matches' : `${count.toLocaleString('en-US')} vehicles match`;

/** Shows how many vehicles match the search. */
function SamplePanel() {
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

/** The build exposes each file in this folder as a slot of the same name. */
export default defineSlot({
  // The parts of the store that the view reads; the server passes only these.
  reads: ['search.totalResultCount', 'search.status'],
  view: SamplePanel,
});
