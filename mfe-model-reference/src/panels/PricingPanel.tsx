import type { ReactNode } from 'react';
import { BRANDS } from '@forecourt/search/brands';
import { formatDollars, formatNumber } from '@forecourt/search/format';
import { usePageState } from '@forecourt/slots';
import { VisuallyHidden } from '@forecourt/slots/ui';
import { type PriceRow, countedHref, greatPriceHref, priceChart, trimRows, yearRows } from './priceRows.ts';
import type { ReferenceData } from '../data/loadReference.ts';
import styles from './PricingPanel.module.css';
import { PriceChart } from './PriceChart.tsx';

function Price({ amount }: { amount: number | undefined }): ReactNode {
  if (amount !== undefined) return formatDollars(amount);
  return (
    <>
      <span aria-hidden="true">–</span>
      <VisuallyHidden>unknown</VisuallyHidden>
    </>
  );
}

/** Prices and counts of model years or trims, each linked to its listings. */
function PriceTable(props: {
  caption: string;
  /** Heading of the first column. */
  rowLabel: string;
  rows: readonly PriceRow[];
  hrefOf: (row: PriceRow) => string;
}): ReactNode {
  return (
    <div className={styles['frame']}>
      <table className={styles['table']}>
        <caption className={styles['caption']}>{props.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{props.rowLabel}</th>
            <th scope="col">For sale</th>
            <th scope="col">Lowest</th>
            <th scope="col">Average</th>
            <th scope="col">Highest</th>
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            // The key replaces numbers that a translator changed.
            <tr key={[row.key, row.count, row.starting, row.average, row.top].join(' ')}>
              <th scope="row">
                <a href={props.hrefOf(row)} title={row.fullName}>
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

/** Prices of the model by year and by trim. */
export function PricingPanel({ data, name }: { data: ReferenceData; name: string }): ReactNode {
  const criteria = usePageState(({ search }) => search.criteria);
  const brand = usePageState(({ session }) => BRANDS[session.brand].name);
  const years = yearRows(data.modelYearsData);
  const trims = trimRows(data.trimsData);
  const chart = priceChart(years);
  const { area, greatPriceListingCount: greatCount } = data;
  const hrefOf = (row: PriceRow) => countedHref(criteria, area, row);
  return (
    <>
      <p className={styles['intro']}>
        {area
          ? `${name} prices within ${area.radius} miles of ${area.zip}, based on today’s listings on ${brand}.`
          : `${name} prices nationwide, based on today’s listings on ${brand}.`}{' '}
        {greatCount !== null && greatCount > 0 && (
          <a className={styles['great']} href={greatPriceHref(criteria)}>
            {greatCount === 1
              ? '1 great deal nationwide'
              : `${formatNumber(greatCount)} great deals nationwide`}
          </a>
        )}
      </p>
      <div className={styles['years']}>
        {chart && <PriceChart chart={chart} title="Price range and average by model year" />}
        {years.length > 0 && (
          <PriceTable caption={`${name} prices by model year`} rowLabel="Year" rows={years} hrefOf={hrefOf} />
        )}
      </div>
      {trims.length > 0 && (
        <PriceTable caption={`${name} prices by trim`} rowLabel="Trim" rows={trims} hrefOf={hrefOf} />
      )}
    </>
  );
}
