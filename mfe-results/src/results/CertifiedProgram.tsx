import { useId, type ReactNode, useMemo } from 'react';
import { BRANDS, type BrandCode, type Brand } from '@forecourt/search/brands';
import type { FilterValues } from '@forecourt/search/criteria';
import { formatNumber } from '@forecourt/search/format';
import { selectSession } from '@forecourt/search/state';
import { usePageState } from '@forecourt/slots';
import { MONEY_BACK, THIRD_PARTY_WARRANTY_DAYS } from '@forecourt/upstream/agreements';
import type { Owner } from '@forecourt/upstream/entities';
import { selectSearch, SearchLink } from '../search/SearchLink.tsx';
import styles from './CertifiedProgram.module.css';

/** Benefits of the certified programs: the brand's own, third-party warranty, money-back guarantee. */
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
        <>
          <h2 id={headingId} className={styles['summary']}>
            {copy.heading}
          </h2>
          <p>{copy.intro}</p>
          <ul className={styles['points']}>
            {copy.points.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
        </>
      )}
      {hasMoneyBack && <p>{`These vehicles have a ${MONEY_BACK_TEXT}, whichever comes first.`}</p>}
      {hasThirdParty && <p>{THIRD_PARTY_WARRANTY_TEXT}</p>}
    </section>
  );
}

/** Dealers listed below the results. */
const MAX_DEALERS = 8;

/** The dealers of these results in the program's order, on the certified program's pages. */
export function ProgramDealers(): ReactNode {
  const { listings, owners, criteria } = usePageState(selectSearch);
  const { brand } = usePageState(selectSession);
  const headingId = useId();
  const dealers = useMemo(() => {
    const ids = [...new Set(listings.map(({ ownerId }) => ownerId))];
    const dealerOwners = ids
      .map((id) => owners[id])
      .filter((owner): owner is Owner => !!owner && !owner.privateSeller);
    return orderOwners(dealerOwners, brand).slice(0, MAX_DEALERS);
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

const distanceOf = ({ distanceFromSearch = Infinity }: Owner) => distanceFromSearch;

/**
 * Sellers in the brand's order: the certified program lists the nearest first, then by name; other brands keep
 * the order of the results.
 */
export function orderOwners(owners: readonly Owner[], brand: BrandCode): readonly Owner[] {
  if (!BRANDS[brand].hasCertifiedProgram) return owners;
  return [...owners].sort((one, other) => {
    const [near, far] = [distanceOf(one), distanceOf(other)];
    return near === far ? one.name.localeCompare(other.name, 'en') : near < far ? -1 : 1;
  });
}

/** All copy of the certified programs; its figures are constants. */

/** 'money-back guarantee of 14 days or 1,000 miles'. */
const MONEY_BACK_TEXT = `money-back guarantee of ${MONEY_BACK.days} days or ${formatNumber(MONEY_BACK.miles)} miles`;

/** What a third-party certification includes. */
export const THIRD_PARTY_WARRANTY_TEXT = `Third-party certified vehicles come with a limited warranty of ${THIRD_PARTY_WARRANTY_DAYS.join('-')} days.`;

export interface ProgramCopy {
  readonly heading: string;
  readonly intro: string;
  readonly points: readonly string[];
}

/**
 * Copy of the manufacturer's certified program; undefined for a
 * brand without one. Condition and vehicle words are in lower case, as the program writes them.
 */
export function programCopyOf(brand: Brand): ProgramCopy | undefined {
  if (!brand.hasCertifiedProgram) return undefined;
  const { maxAgeYears, milesUnder, inspectionPoints } = CERTIFIED_PROGRAM;
  return {
    heading: 'About certified used vehicles',
    intro:
      'Factory-trained technicians inspect each certified used vehicle, and a written warranty backs it.',
    points: [
      `Only vehicles up to ${maxAgeYears} years old with under ${formatNumber(milesUnder)} miles qualify.`,
      `Each one passes a ${inspectionPoints}-point inspection before it is offered.`,
      `You have a ${MONEY_BACK_TEXT}, whichever comes first.`,
    ],
  };
}

/**
 * Copy of the program's price-cap page, for a search with only a maximum price of $20,000.
 */
export function priceCapText(brand: Brand, filters: FilterValues): string | undefined {
  const isCapped = filters.maxPrice?.[0] === String(PRICE_CAP_PAGE) && !filters.minPrice;
  if (!brand.hasCertifiedProgram || !isCapped) return undefined;
  return `These used and certified used vehicles are all under $${formatNumber(PRICE_CAP_PAGE)}.`;
}

/** Requirements of the manufacturer's certified program. */
const CERTIFIED_PROGRAM = { maxAgeYears: 'six', milesUnder: 80_000, inspectionPoints: 172 } as const;

/** USD; the manufacturer's price-cap page. */
const PRICE_CAP_PAGE = 20_000;
