import { defineSlot, usePageState } from '@forecourt/slots';
import { useState } from 'react';
import styles from './filters.module.css';

function Filters() {
  const chosen = usePageState((state) => state.search.chips.length);
  const [clicks, setClicks] = useState(0);
  return (
    <section aria-label="Filters by Vite" className={styles.filters}>
      <p>{chosen} chosen</p>
      <button type="button" onClick={() => setClicks(clicks + 1)}>
        Clicked {clicks} times
      </button>
    </section>
  );
}

export default defineSlot({ reads: ['search.chips'], view: Filters });
