import type { ReactNode } from 'react';
import { formatCount, formatDate, formatDollars, formatNumber } from '@forecourt/search/format';
import type { Listing } from '@forecourt/upstream/entities';
import { MARKET_MINIMUM, YEARS_AROUND, marketLabel, type MarketPosition } from './market.ts';
import { Badge } from './Badge.tsx';
import { Panel } from './Panel.tsx';
import styles from './MarketSection.module.css';

function ageText(days: number): string {
  if (days === 0) return 'New today';
  return `Listed ${formatCount(days, 'day')} ago`;
}

/** Each price with its first day and the change, newest first. */
function PriceTable({ history }: { history: NonNullable<Listing['pricingDetail']['history']> }): ReactNode {
  return (
    <table className={styles['prices']}>
      <thead>
        <tr>
          <th scope="col">Date</th>
          <th scope="col">Price</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        {history
          .map(({ on, price }, at) => {
            const change = price - (history[at - 1]?.price ?? price);
            return (
              <tr key={on}>
                <td>
                  <time dateTime={on}>{formatDate(on)}</time>
                </td>
                <td>{formatDollars(price)}</td>
                <td>
                  {at === 0 ? 'First price' : `${change < 0 ? '−' : '+'}${formatDollars(Math.abs(change))}`}
                </td>
              </tr>
            );
          })
          .reverse()}
      </tbody>
    </table>
  );
}

/** The last reduction, or that there was none since the vehicle was listed; undefined without a price. */
function priceHistory({ isReducedPrice, pricingDetail, daysListed }: Listing): string | undefined {
  const { derivedPrice, previousPrice } = pricingDetail;
  if (derivedPrice === undefined) return undefined;
  if (isReducedPrice && previousPrice !== undefined && previousPrice > derivedPrice)
    return `Lowered by ${formatDollars(previousPrice - derivedPrice)}, from ${formatDollars(previousPrice)} to ${formatDollars(derivedPrice)}.`;
  return daysListed
    ? `No price changes since it was listed ${formatCount(daysListed, 'day')} ago.`
    : undefined;
}

/** How the price compares, how long the vehicle is listed, and how often it was viewed. */
export function MarketSection(props: { listing: Listing; market: MarketPosition | undefined }): ReactNode {
  const { listing, market } = props;
  const { daysListed, viewCount } = listing;
  const notes = [
    daysListed === undefined ? undefined : ageText(daysListed),
    viewCount > 0 ? `${formatCount(viewCount, 'view')} this week` : undefined,
  ].filter((note) => note !== undefined);
  const history = priceHistory(listing);
  const { history: prices = [] } = listing.pricingDetail;
  if (!market && !history) return null;
  return (
    <Panel headingId="market-title" heading={market ? 'How this price compares' : 'Price history'}>
      {market && <MarketChart listing={listing} market={market} />}
      {history && (
        <>
          {market && <h3 className={styles['strong']}>Price history</h3>}
          <p>{history}</p>
          {prices.length > 1 && <PriceTable history={prices} />}
        </>
      )}
      {notes.length > 0 && <p className={styles['quiet']}>{notes.join(' · ')}</p>}
    </Panel>
  );
}

/** 'F-150s', 'Taurus listings'. */
const pluralOf = (modelName: string): string =>
  /[sxz]$/i.test(modelName) ? `${modelName} listings` : `${modelName}s`;

/** What is compared, and what isn't. */
function methodText({ year, listingType, make, model }: Listing, { total }: MarketPosition): string {
  const condition = listingType === 'NEW' ? 'new' : 'used and certified';
  return (
    `We compared the asking price with those of all ${formatNumber(total)} ${condition} ${make.name} ${pluralOf(model.name)} ` +
    `from ${year - YEARS_AROUND} to ${year + YEARS_AROUND} on this site, this one included, anywhere in the country. Trim, mileage, ` +
    `equipment and condition are not taken into account. With fewer than ${MARKET_MINIMUM} vehicles, we show no comparison.`
  );
}

/** Height of the chart's tallest bar, and of its smallest visible one, in units of the drawing. */
const TALLEST = 40;
const SHORTEST = 2;

/** Comparable listings by price as bars; the sentence above states the same in text. */
function MarketChart({ listing, market }: { listing: Listing; market: MarketPosition }): ReactNode {
  const { total, dearerPercent, min, max, bars, own } = market;
  const lowest = `${formatDollars(min)}${market.isOpenStart ? ' or less' : ''}`;
  const highest = `${formatDollars(max)}${market.isOpenEnd ? '+' : ''}`;
  const isBelow = dearerPercent >= 50;
  const most = Math.max(...bars, 1);
  const width = 100 / bars.length;
  return (
    <>
      <p>
        <Badge isNeutral={dearerPercent < 60}>{marketLabel(market)}</Badge>
      </p>
      <p>
        {`Priced ${isBelow ? 'below' : 'above'} about `}
        <strong>{`${isBelow ? dearerPercent : 100 - dearerPercent}%`}</strong>
        {` of ${formatNumber(total)} comparable ${pluralOf(listing.model.name)}.`}
      </p>
      <svg
        className={styles['chart']}
        viewBox={`0 0 100 ${TALLEST}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Comparable listings from ${lowest} to ${highest}, this one marked`}
      >
        {bars.map((count, at) => {
          const height = count === 0 ? 0 : Math.max(SHORTEST, (count / most) * TALLEST);
          return (
            <rect
              key={at}
              x={(at * width + width * 0.1).toFixed(2)}
              y={(TALLEST - height).toFixed(2)}
              width={(width * 0.8).toFixed(2)}
              height={height.toFixed(2)}
              className={at === own ? styles['own'] : undefined}
            />
          );
        })}
      </svg>
      <p className={styles['scale']} aria-hidden="true">
        <span>{lowest}</span>
        <span>{highest}</span>
      </p>
      <details className={styles['method']}>
        <summary>How we compare</summary>
        <p>{methodText(listing, market)}</p>
      </details>
    </>
  );
}
