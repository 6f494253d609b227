import type { ReactNode } from 'react';
import { formatDollars, formatNumber, VisuallyHidden } from '@forecourt/shared-contracts/ui';
import type { PriceRow } from './priceRows.ts';
import styles from './PriceTable.module.css';

function Price({ amount }: { amount: number | undefined }): ReactNode {
  if (amount !== undefined) return formatDollars(amount);
  return (
    <>
      <span aria-hidden="true">–</span>
      <VisuallyHidden>not known</VisuallyHidden>
    </>
  );
}

/** Prices and counts of model years or trims; each name leads to its listings. */
export function PriceTable(props: {
  caption: string;
  /** Heading of the first column. */
  what: string;
  rows: readonly PriceRow[];
  hrefOf: (row: PriceRow) => string;
}): ReactNode {
  return (
    <div className={styles['frame']}>
      <table className={styles['table']}>
        <caption className={styles['caption']}>{props.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{props.what}</th>
            <th scope="col">For sale</th>
            <th scope="col">Starting</th>
            <th scope="col">Average</th>
            <th scope="col">Top</th>
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr key={row.key}>
              <th scope="row">
                <a className={styles['link']} href={props.hrefOf(row)} title={row.fullName}>
                  {row.name}
                </a>
              </th>
              <td>{formatNumber(row.count)}</td>
              <td>
                <Price amount={row.starting} />
              </td>
              <td>
                <Price amount={row.average} />
              </td>
              <td>
                <Price amount={row.top} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
