import type { CSSProperties, ReactNode } from 'react';
import { formatDollars, formatNumber } from '@forecourt/search/format';
import { formatPrice } from '@forecourt/search/payments';
import { detailUrl } from '@forecourt/search/url';
import type { LoadContext, PageHead } from '@forecourt/slots';
import { buttonClass, VisuallyHidden } from '@forecourt/slots/ui';
import { LISTING_TYPE_LABELS } from '@forecourt/upstream/codes';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import {
  codeInWords,
  driveText,
  labelOf,
  sellerPlace,
  unbroken,
  TRANSMISSION_LABELS,
  historyTexts,
  primaryPicture,
} from '../listing/facts.ts';
import { COMPARE_PATH, compareUrl } from '../compare/comparedVehicle.ts';
import { dealText } from '../listing/price.ts';
import styles from './CompareView.module.css';
import { COMPARE_CAPACITY } from '../constants.ts';
import { featureNames } from '../vehicle/featureNames.ts';

export interface ComparedListing {
  readonly listing: Listing;
  readonly owner: Owner;
  /** Names of its features. */
  readonly features: readonly string[];
}

interface ComparisonRow {
  readonly label: string;
  /** One per vehicle; '–' where unknown. */
  readonly values: readonly string[];
  readonly isDifferent: boolean;
  /** Indexes of the best values; empty when all are equal. */
  readonly best: readonly number[];
}

interface RowDefinition {
  readonly label: string;
  readonly text: (vehicle: ComparedListing) => string | undefined;
  /** Whether less or more of a number is better. */
  readonly better?: {
    readonly prefers: 'less' | 'more';
    readonly of: (vehicle: ComparedListing) => number | undefined;
  };
}

const UNKNOWN = '–';

/** The rows in display order. */
const ROWS: readonly RowDefinition[] = [
  {
    label: 'Price',
    text: ({ listing }) => formatPrice(listing.pricingDetail.derivedPrice),
    better: { prefers: 'less', of: ({ listing }) => listing.pricingDetail.derivedPrice },
  },
  { label: 'Deal', text: ({ listing }) => dealText(listing) },
  {
    label: 'Monthly payment',
    text: ({ listing: { pricingDetail } }) =>
      pricingDetail.payments && `${formatDollars(pricingDetail.payments.monthly)}/mo est.`,
    better: { prefers: 'less', of: ({ listing }) => listing.pricingDetail.payments?.monthly },
  },
  { label: 'Condition', text: ({ listing }) => LISTING_TYPE_LABELS[listing.listingType] },
  {
    label: 'Year',
    text: ({ listing }) => String(listing.year),
    better: { prefers: 'more', of: ({ listing }) => listing.year },
  },
  { label: 'Trim', text: ({ listing }) => listing.trim?.name },
  {
    label: 'Mileage',
    text: ({ listing }) => listing.mileage && `${formatNumber(listing.mileage.value)} mi`,
    better: { prefers: 'less', of: ({ listing }) => listing.mileage?.value },
  },
  { label: 'History', text: ({ listing }) => historyTexts(listing).join(', ') || undefined },
  {
    label: 'MPG',
    text: ({ listing: { specifications } }) =>
      specifications.mpg === undefined ? undefined : formatNumber(specifications.mpg),
    better: { prefers: 'more', of: ({ listing }) => listing.specifications.mpg },
  },
  {
    label: 'Electric range',
    text: ({ listing: { specifications } }) =>
      specifications.mileRange === undefined ? undefined : `${formatNumber(specifications.mileRange)} mi`,
    better: { prefers: 'more', of: ({ listing }) => listing.specifications.mileRange },
  },
  { label: 'Drive', text: ({ listing }) => driveText(listing) },
  { label: 'Engine', text: ({ listing }) => listing.engine.name ?? listing.specifications.engine },
  {
    label: 'Transmission',
    text: ({ listing }) => labelOf(TRANSMISSION_LABELS, listing.specifications.transmission),
  },
  { label: 'Fuel', text: ({ listing }) => listing.fuelType.name || undefined },
  {
    label: 'Doors',
    text: ({ listing }) => (listing.doors === undefined ? undefined : String(listing.doors)),
  },
  { label: 'Exterior', text: ({ listing }) => codeInWords(listing.color.exteriorColorSimple) },
  { label: 'Interior', text: ({ listing }) => codeInWords(listing.color.interiorColorSimple) },
  { label: 'Features', text: ({ features }) => features.join(', ') || undefined },
  { label: 'Seller', text: ({ owner }) => owner.ownerName },
  { label: 'Location', text: ({ owner }) => sellerPlace(owner) },
];

/** Indexes of the best numbers; none when fewer than two are known or all are equal. */
function bestOf(numbers: readonly (number | undefined)[], prefers: 'less' | 'more'): number[] {
  const knownNumbers = numbers.filter((value) => value !== undefined);
  const [min, max] = [Math.min(...knownNumbers), Math.max(...knownNumbers)];
  if (knownNumbers.length < 2 || min === max) return [];
  const best = prefers === 'less' ? min : max;
  return numbers.flatMap((value, at) => (value === best ? [at] : []));
}

/** The rows of the comparison, without rows that are unknown for all vehicles. */
export function comparisonRows(vehicles: readonly ComparedListing[]): ComparisonRow[] {
  return ROWS.flatMap(({ label, text, better }) => {
    const values = vehicles.map((vehicle) => text(vehicle) ?? UNKNOWN);
    if (values.every((value) => value === UNKNOWN)) return [];
    return [
      {
        label,
        values,
        isDifferent: new Set(values).size > 1,
        best: better ? bestOf(vehicles.map(better.of), better.prefers) : [],
      },
    ];
  });
}

export interface CompareData {
  readonly vehicles: readonly ComparedListing[];
  /** Number of requested vehicles that are no longer for sale. */
  readonly goneCount: number;
}

/** Loads the vehicles of the URL. Rejects when the upstream fails, not when it refuses an id. */
export async function loadComparison(context: LoadContext): Promise<CompareData> {
  const { state, call } = context;
  const ids = comparedIds(new URLSearchParams(state.page.url.split('?')[1]));
  const results = await Promise.all(
    ids.map(async (id): Promise<Omit<ComparedListing, 'features'> | undefined> => {
      try {
        return await call('listing', { id });
      } catch (error) {
        if ((error as { code?: unknown }).code === 'REFUSED') return undefined;
        throw error;
      }
    }),
  );
  const vehicles = results.filter((vehicle) => vehicle !== undefined);
  return {
    vehicles: vehicles.map(({ listing, owner }) => ({
      listing,
      owner,
      features: featureNames(listing.features),
    })),
    goneCount: results.length - vehicles.length,
  };
}

export const compareHead = ({ vehicles }: CompareData): PageHead => ({
  title:
    vehicles.length > 0
      ? `Compare ${vehicles.map(({ listing }) => listing.title).join(', ')}`
      : 'Compare vehicles',
  description: 'Vehicles side by side: price, mileage, economy, equipment and seller.',
  canonical: COMPARE_PATH,
  isIndexed: false,
});

/** The comparison page: one column per vehicle; rows that differ are marked. */
export function CompareView({ vehicles, goneCount }: CompareData): ReactNode {
  return (
    <>
      <div className={styles['head']}>
        <h1 className={styles['title']}>Compare vehicles</h1>
        {goneCount > 0 && (
          <p role="status">
            {goneCount === 1
              ? 'One of these vehicles is no longer for sale.'
              : `${goneCount} of these vehicles are no longer for sale.`}
          </p>
        )}
      </div>
      {vehicles.length > 0 ? <Comparison vehicles={vehicles} /> : <NothingToCompare />}
    </>
  );
}

function NothingToCompare(): ReactNode {
  return (
    <div className={styles['panel']}>
      <p>Choose up to five vehicles from the results to compare them side by side.</p>
      <p>
        <a className={buttonClass('primary')} href="/cars-for-sale/all-cars">
          See cars for sale
        </a>
      </p>
    </div>
  );
}

function Comparison({ vehicles }: { vehicles: readonly ComparedListing[] }): ReactNode {
  return (
    <div>
      {/* A style rule hides the rows, so the box works without JavaScript. */}
      <input type="checkbox" id="only-different" className={styles['onlyDifferent']} />
      <label className={styles['choice']} htmlFor="only-different">
        Show differences only
      </label>
      {vehicles.length > 2 && (
        <p className={styles['cue']}>{`Scroll sideways to see all ${vehicles.length} vehicles.`}</p>
      )}
      {/* Focusable, so that it can be scrolled with the keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className={styles['scroll']} aria-label="Comparison" tabIndex={0}>
        <table className={styles['table']} style={{ '--vehicles': vehicles.length } as CSSProperties}>
          <caption>
            <VisuallyHidden>Side-by-side comparison</VisuallyHidden>
          </caption>
          <thead>
            <tr>
              <td />
              {vehicles.map((vehicle) => (
                <ColumnHead key={vehicle.listing.id} vehicle={vehicle} all={vehicles} />
              ))}
            </tr>
          </thead>
          <tbody>
            {comparisonRows(vehicles).map((row) => (
              <Row key={row.label} {...row} />
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

function ColumnHead(props: { vehicle: ComparedListing; all: readonly ComparedListing[] }): ReactNode {
  const { vehicle, all } = props;
  const { listing } = vehicle;
  const picture = primaryPicture(listing);
  const otherIds = all.map((vehicle) => vehicle.listing.id).filter((id) => id !== listing.id);
  return (
    <th scope="col">
      {picture && <img src={picture.src} alt="" width={320} height={240} decoding="async" />}
      <a href={detailUrl(listing, 'compare')}>{unbroken(listing.title)}</a>
      <br />
      <a className={styles['action']} href={`${detailUrl(listing, 'compare')}#contact`}>
        Contact seller<VisuallyHidden>{` of ${listing.title}`}</VisuallyHidden>
      </a>
      <a className={styles['action']} href={compareUrl(otherIds)} data-remove>
        Remove<VisuallyHidden>{` ${listing.title}`}</VisuallyHidden>
      </a>
    </th>
  );
}

function Row({ label, values, isDifferent, best }: ComparisonRow): ReactNode {
  return (
    <tr
      className={isDifferent ? styles['different'] : styles['same']}
      data-row={isDifferent ? 'different' : 'same'}
    >
      <th scope="row">{label}</th>
      {values.map((value, at) => {
        const isBest = best.includes(at);
        return (
          <td key={at} className={isBest ? styles['best'] : undefined}>
            {value}
            {isBest && <VisuallyHidden>, best</VisuallyHidden>}
          </td>
        );
      })}
    </tr>
  );
}

const LISTING_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The listing ids of a comparison's query: valid, distinct, at most five. */
export function comparedIds(query: URLSearchParams): string[] {
  const ids = query.getAll('listingIds').flatMap((text) => text.split(','));
  return [...new Set(ids.map((id) => id.trim()))]
    .filter((id) => LISTING_ID.test(id))
    .slice(0, COMPARE_CAPACITY);
}
