import { useId, useMemo, type ReactNode } from 'react';
import type { Owner } from '@forecourt/shared-contracts/entities';
import { BRANDS } from '@forecourt/shared-contracts/brands';
import { selectSession, usePageState } from '@forecourt/shared-contracts/store';
import { formatNumber } from '@forecourt/shared-contracts/ui';
import { SearchLink } from '../SearchLink.tsx';
import { orderOwners } from './ownerOrder.ts';
import styles from './ProgramNote.module.css';
import { selectSearch } from '../selectSearch.ts';

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
