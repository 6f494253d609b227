import type { ReactNode, Ref, CSSProperties } from 'react';
import { SEGMENT_TILES } from './tiles.ts';
import styles from './ListEnd.later.module.css';

/**
 * Marks the end of the results. It is next to the last segment because elements inside a skipped segment
 * report no position.
 *
 * @param tiles number of tiles in the segment
 */
export function ListEnd({ tiles, endRef }: { tiles: number; endRef: Ref<HTMLDivElement> }): ReactNode {
  // Filled share of the segment for one, two and three columns.
  const [one, two, three] = [1, 2, 3].map(
    (columns) => (Math.floor(tiles / columns) * columns) / SEGMENT_TILES,
  );
  const style = { '--one': one, '--two': two, '--three': three } as CSSProperties;
  return <div ref={endRef} aria-hidden="true" className={styles['end']} style={style} />;
}
