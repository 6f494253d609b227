import { useId, type ReactNode, useMemo } from 'react';
import { BRANDS, type BrandCode } from '@forecourt/shared-contracts/brands';
import { MONEY_BACK_TEXT, priceCapText, programCopyOf, THIRD_PARTY_WARRANTY_TEXT } from './programCopy.ts';
import { usePageState, selectSession } from '@forecourt/shared-contracts/store';
import { selectSearch } from '../selectSearch.ts';
import type { Owner } from '@forecourt/shared-contracts/entities';
import { formatNumber } from '@forecourt/shared-contracts/rules';
import styles from './CertifiedProgram.module.css';
import { SearchLink } from '../search/SearchLink.tsx';

/** What the programs of a search's vehicles promise: the brand's own one, third parties' warranty, the money-back guarantee. */
export function ProgramNote(): ReactNode {
  const brand = usePageState(({ session }) => BRANDS[session.brand]);
  const filters = usePageState(({ search }) => search.criteria.filters);
  const headingId = useId();
  const copy = programCopyOf(brand);
  const cap = priceCapText(brand, filters);
  const hasThirdParty = filters.listingType?.includes('3P_CERT') ?? false;
  const hasMoneyBack = !copy && filters.vehicleExchange !== undefined;
  if (!copy && !hasThirdParty && !hasMoneyBack) return null;
  return (
    <section className={styles['note']} aria-labelledby={copy ? headingId : undefined} data-program>
      {cap && <p>{cap}</p>}
      {copy && (
        <details>
          <summary id={headingId} className={styles['summary']}>
            {copy.heading}
          </summary>
          <p>{copy.intro}</p>
          <ul className={styles['points']}>
            {copy.points.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
        </details>
      )}
      {hasMoneyBack && <p>{`These vehicles have a ${MONEY_BACK_TEXT}, whichever comes first.`}</p>}
      {hasThirdParty && <p>{THIRD_PARTY_WARRANTY_TEXT}</p>}
    </section>
  );
}

/** Dealers named below the results. */
const SHOWN = 8;

/** On the certified program's pages: its dealers in these results, in the program's order (A6-BRAND-01). */
export function ProgramDealers(): ReactNode {
  const { listings, owners, criteria } = usePageState(selectSearch);
  const { brand } = usePageState(selectSession);
  const headingId = useId();
  const dealers = useMemo(() => {
    const ids = [...new Set(listings.map(({ ownerId }) => ownerId))];
    const known = ids
      .map((id) => owners[id])
      .filter((owner): owner is Owner => !!owner && !owner.privateSeller);
    return orderOwners(known, brand).slice(0, SHOWN);
  }, [listings, owners, brand]);
  if (!BRANDS[brand].hasCertifiedProgram || dealers.length === 0) return null;
  return (
    <section className={styles['note']} aria-labelledby={headingId} data-dealers>
      <h2 id={headingId} className={styles['summary']}>
        Dealers of these vehicles
      </h2>
      <ul>
        {dealers.map(({ id, name, distanceFromSearch }) => (
          <li key={id} className={styles['dealer']}>
            <SearchLink
              criteria={{ ...criteria, firstRecord: 0, showcaseOwnerId: id, isSponsorship: true }}
              cause="dealer"
            >
              {name}
            </SearchLink>
            {distanceFromSearch !== undefined && ` · ${formatNumber(Math.round(distanceFromSearch))} mi away`}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A distance that is not known is behind all that are. */
const distanceOf = ({ distanceFromSearch = Infinity }: Owner) => distanceFromSearch;

/**
 * The sellers of a search in the brand's order: the certified program's nearest
 * first, then by name; other brands keep the order of the results (A6-BRAND-01,
 * AMB-118).
 */
export function orderOwners(owners: readonly Owner[], brand: BrandCode): readonly Owner[] {
  if (!BRANDS[brand].hasCertifiedProgram) return owners;
  return [...owners].sort((one, other) => {
    const [near, far] = [distanceOf(one), distanceOf(other)];
    return near === far ? one.name.localeCompare(other.name, 'en') : near < far ? -1 : 1;
  });
}
