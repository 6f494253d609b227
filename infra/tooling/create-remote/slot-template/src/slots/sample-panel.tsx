import { useId } from 'react';
import { defineSlot, usePageState } from '@forecourt/slots';

/** Shows how many vehicles match: a first view to replace. */
function SamplePanel() {
  const headingId = useId();
  const count = usePageState(({ search }) => search.totalResultCount);
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId}>Sample panel</h2>
      <p>{count === 1 ? '1 vehicle matches' : `${count.toLocaleString('en-US')} vehicles match`}</p>
    </section>
  );
}

export default defineSlot({
  // The parts of the store that the view reads; the server passes only these.
  reads: ['search.totalResultCount'],
  view: SamplePanel,
});
