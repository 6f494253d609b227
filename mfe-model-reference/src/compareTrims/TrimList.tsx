import type { ReactNode } from 'react';
import { formatDollars } from '@forecourt/search/format';
import type { Trim } from '@forecourt/upstream/entities';
import styles from './TrimList.module.css';

const textOf = ({ year, trimName, nationalMSRP }: Trim) =>
  [year, trimName, nationalMSRP ? `starting MSRP ${formatDollars(nationalMSRP)}` : '']
    .filter(Boolean)
    .join(' ');

/**
 * What search engines and browsers without JavaScript get of a comparison that isn't selected. Lines of text, because a
 * model has dozens of trims and nearly all visitors get the table instead.
 */
export function TrimList({ trims }: { trims: readonly Trim[] }): ReactNode {
  return <p className={styles['lines']}>{trims.map(textOf).join('\n')}</p>;
}
