import type { CSSProperties, ReactNode } from 'react';
import { detailUrl } from '@forecourt/search/url';
import { usePageState, type LoadContext, type PageHead } from '@forecourt/slots';
import { buttonClass, VisuallyHidden } from '@forecourt/slots/ui';
import { COMPARE_PATH, compareUrl } from '../compare/comparedVehicle.ts';
import { COMPARE_CAPACITY } from '../constants.ts';
import { primaryPicture, unbroken } from '../listing/facts.ts';
import { termsOf } from '../listing/price.ts';
import { featureNames } from '../vehicle/featureNames.ts';
import { loadSimilar } from '../vehicle/similar.ts';
import type { VehicleWithSeller } from '../vehicle/VehicleCards.tsx';
import { AddVehicles, SaveVehicle, ShareComparison } from './CompareActions.tsx';
import {
  type ComparedListing,
  comparisonRows,
  type ComparisonRow,
  featureRows,
  HAS_FEATURE,
  UNKNOWN,
} from './comparisonRows.ts';
import styles from './CompareView.module.css';

export interface CompareData {
  readonly vehicles: readonly ComparedListing[];
  /** Number of requested vehicles that are no longer for sale. */
  readonly goneCount: number;
  /** Similar to the first one, to add; none when there is no room. */
  readonly more: readonly VehicleWithSeller[];
}

/** Vehicles that are offered to add. */
const MAX_OFFERED = 4;

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
  const [first] = vehicles;
  const similar =
    first && vehicles.length < COMPARE_CAPACITY ? await loadSimilar(first.listing, first.owner, context) : [];
  return {
    more: similar.filter(({ listing }) => !ids.includes(listing.id)).slice(0, MAX_OFFERED),
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
export function CompareView({ vehicles, goneCount, more }: CompareData): ReactNode {
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
      <AddVehicles comparedIds={vehicles.map(({ listing }) => listing.id)} vehicles={more} />
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
  const wallet = usePageState(({ session }) => session.wallet);
  return (
    <div>
      {/* A style rule hides the rows, so the box works without JavaScript. */}
      <input type="checkbox" id="only-different" className={styles['onlyDifferent']} />
      <label className={styles['choice']} htmlFor="only-different">
        Show differences only
      </label>
      <ShareComparison />
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
            {comparisonRows(vehicles, wallet ? termsOf(wallet) : undefined).map((row) => (
              <Row key={row.label} {...row} />
            ))}
          </tbody>
          <Features rows={featureRows(vehicles)} columns={vehicles.length + 1} />
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
      <SaveVehicle id={listing.id} title={listing.title} className={styles['action']} />
      <a className={styles['action']} href={compareUrl(otherIds)} data-remove>
        Remove<VisuallyHidden>{` ${listing.title}`}</VisuallyHidden>
      </a>
    </th>
  );
}

function Features({ rows, columns }: { rows: readonly ComparisonRow[]; columns: number }): ReactNode {
  if (rows.length === 0) return null;
  return (
    <tbody className={styles['features']}>
      <tr data-row="group">
        <th scope="rowgroup" colSpan={columns}>
          Features
        </th>
      </tr>
      {rows.map((row) => (
        <Row key={row.label} {...row} />
      ))}
    </tbody>
  );
}

/** Text for screen readers in place of signs. */
const SPOKEN: Readonly<Record<string, string>> = { [HAS_FEATURE]: 'Yes', [UNKNOWN]: 'Not listed' };

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
            {SPOKEN[value] === undefined ? (
              value
            ) : (
              <>
                <span aria-hidden="true">{value}</span>
                <VisuallyHidden>{SPOKEN[value]}</VisuallyHidden>
              </>
            )}
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
