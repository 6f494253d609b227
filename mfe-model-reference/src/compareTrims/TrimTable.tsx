import type { ReactNode } from 'react';
import { Icon } from '@forecourt/slots/ui';
import { FUEL_GROUPS, type FuelGroup } from '@forecourt/upstream/codes';
import type { Trim } from '@forecourt/upstream/entities';
import type { TrimCell, TrimRow } from './trimRows.ts';
import styles from './TrimTable.module.css';
import { shortTrimName } from '../panels/priceRows.ts';

function Value({ cell }: { cell: TrimCell }): ReactNode {
  const { kind, text } = cell;
  // An element of its own: one that becomes higher would count as a layout shift.
  if (kind === 'loading')
    return <span key={kind} className={styles['loading']} role="img" aria-label={text} />;
  return (
    <span className={styles[kind]}>
      {kind === 'standard' && <Icon name="check" size={18} />}
      {text}
    </span>
  );
}

const fuelLabel = (code: string) => FUEL_GROUPS[code as FuelGroup] as string | undefined;

/** The trims side by side, with a sticky first column. */
export function TrimTable(props: {
  caption: string;
  trims: readonly Trim[];
  rows: readonly TrimRow[];
}): ReactNode {
  const { caption, trims, rows } = props;
  return (
    // Focusable and labeled, so that it can be scrolled with the keyboard.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles['frame']} aria-label={caption} tabIndex={0}>
      <table className={styles['table']}>
        <caption className={styles['caption']}>{caption}</caption>
        <thead>
          <tr>
            <th scope="col" className={styles['corner']}>
              Trim
            </th>
            {trims.map((trim) => (
              <th key={trim.vehicleId} scope="col" className={styles['trim']}>
                <img src={trim.imagePath} alt="" width={120} height={90} loading="lazy" decoding="async" />
                <span className={styles['year']}>
                  {[trim.year, fuelLabel(trim.fuelTypeGroup)].filter(Boolean).join(' · ')}
                </span>
                <span title={trim.trimName}>{shortTrimName(trim.trimName)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ kind, label, cells }) => (
            <tr key={label} data-kind={kind}>
              <th scope="row">{label}</th>
              {cells.map((cell, at) => (
                <td key={trims[at]?.vehicleId}>
                  <Value cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
