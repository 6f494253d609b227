import type { CSSProperties, ReactNode, Ref } from 'react';
import styles from './ListEnd.later.module.css';
import { SEGMENT_TILES } from './tiles.ts';

/**
 * Stands beside the last segment with results, where these end: of what is
 * inside of a segment that is far away the browser tells nothing.
 *
 * @param tiles number of the segment's tiles
 */
export function ListEnd({ tiles, endRef }: { tiles: number; endRef: Ref<HTMLDivElement> }): ReactNode {
  // How much of the segment is filled, by the number of columns.
  const [one, two, three] = [1, 2, 3].map(
    (columns) => (Math.floor(tiles / columns) * columns) / SEGMENT_TILES,
  );
  const style = { '--one': one, '--two': two, '--three': three } as CSSProperties;
  return <div ref={endRef} aria-hidden="true" className={styles['end']} style={style} />;
}
