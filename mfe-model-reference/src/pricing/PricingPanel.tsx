import type { ReactNode } from 'react';
import { BRANDS } from '@forecourt/shared-contracts/brands';
import { usePageState } from '@forecourt/shared-contracts/store';
import { formatNumber } from '@forecourt/shared-contracts/ui';
import type { ReferenceData } from '../load.ts';
import { countedHref, greatPriceHref } from './hrefs.ts';
import { PriceChart } from './PriceChart.tsx';
import { priceChart, trimRows, yearRows, type PriceRow } from './priceRows.ts';
import { PriceTable } from './PriceTable.tsx';
import styles from './PricingPanel.module.css';

/** What the model costs by year and by trim. */
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
          ? `What a ${name} costs within ${area.radius} miles of ${area.zip}, by the listings on ${brand} today.`
          : `What a ${name} costs across the country, by the listings on ${brand} today.`}{' '}
        {greatCount !== null && greatCount > 0 && (
          <a className={styles['great']} href={greatPriceHref(criteria)}>
            {greatCount === 1
              ? '1 listing at a great price nationwide'
              : `${formatNumber(greatCount)} listings at a great price nationwide`}
          </a>
        )}
      </p>
      <div className={styles['years']}>
        {chart && <PriceChart chart={chart} title="Lowest to highest price by model year, and the average" />}
        {years.length > 0 && (
          <PriceTable caption={`${name} prices by model year`} what="Year" rows={years} hrefOf={hrefOf} />
        )}
      </div>
      {trims.length > 0 && (
        <PriceTable caption={`${name} prices by trim`} what="Trim" rows={trims} hrefOf={hrefOf} />
      )}
    </>
  );
}
