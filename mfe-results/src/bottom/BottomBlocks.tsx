import { useMemo, useRef, type ReactNode, type RefObject } from 'react';
import { SIMILAR_PLACEHOLDERS, SUPPLEMENTAL_PLACEHOLDERS } from '@forecourt/shared-contracts/rules';
import { toSimilarQuery, toSupplementalQuery } from '@forecourt/shared-contracts/search';
import { selectSearch, selectSession, usePageState } from '@forecourt/shared-contracts/store';
import { CardSkeleton } from '../card/CardSkeleton.tsx';
import { ListingCard } from '../card/ListingCard.tsx';
import { useCardOptions } from '../card/useCardOptions.ts';
import gridStyles from '../grid/ResultsGrid.module.css';
import type { VehicleTile } from '../grid/tiles.ts';
import { wantsSimilar, wantsSupplemental } from './eligibility.ts';
import { useNearListings, type NearListings } from './useNearListings.ts';
import styles from './BottomBlocks.module.css';

/** More to look at when there are few matches: alike vehicles, then a wider search (B2-BOTTOM-03). */
export function BottomBlocks({ tiles }: { tiles: readonly VehicleTile[] }): ReactNode {
  const search = usePageState(selectSearch);
  const session = usePageState(selectSession);
  const similarBlock = useRef<HTMLElement>(null);
  const supplementalBlock = useRef<HTMLElement>(null);
  const shownIds = useMemo(() => tiles.map(({ listing }) => listing.id), [tiles]);
  const { criteria } = search;
  const context = { brand: session.brand, ...(session.visitorZip && { visitorZip: session.visitorZip }) };
  const similarQuery = wantsSimilar(search)
    ? toSimilarQuery(criteria, { ...context, shownIds }).toString()
    : null;
  const supplementalQuery = wantsSupplemental(search)
    ? toSupplementalQuery(criteria, context).toString()
    : null;
  const similar = useNearListings(similarBlock, 'similar', similarQuery);
  const supplemental = useNearListings(supplementalBlock, 'supplemental', supplementalQuery);
  const similarIds = typeof similar === 'string' ? [] : similar.listings.map(({ id }) => id);
  return (
    <>
      {similarQuery !== null && (
        <VehicleBlock
          blockRef={similarBlock}
          kind="similar"
          heading="Similar vehicles"
          found={similar}
          placeholders={SIMILAR_PLACEHOLDERS}
          shownIds={shownIds}
        />
      )}
      {supplementalQuery !== null && (
        <VehicleBlock
          blockRef={supplementalBlock}
          kind="supplemental"
          heading="More vehicles for you"
          found={supplemental}
          placeholders={SUPPLEMENTAL_PLACEHOLDERS}
          shownIds={[...shownIds, ...similarIds]}
        />
      )}
    </>
  );
}

/** One block: nothing until it is near, its shape while it loads, no trace when nothing is found. */
function VehicleBlock(props: {
  blockRef: RefObject<HTMLElement | null>;
  kind: 'similar' | 'supplemental';
  heading: string;
  found: NearListings;
  placeholders: number;
  shownIds: readonly string[];
}): ReactNode {
  const { blockRef, kind, heading, found, placeholders, shownIds } = props;
  const options = useCardOptions();
  const isLoading = found === 'loading';
  const { listings, owners } = typeof found === 'string' ? { listings: [], owners: [] } : found;
  const fresh = listings.filter(({ id }) => !shownIds.includes(id));
  const isVisible = isLoading || fresh.length > 0;
  return (
    <section ref={blockRef} className={styles['block']} aria-label={isVisible ? heading : undefined}>
      {isVisible && (
        <>
          <h2 className={styles['heading']}>{heading}</h2>
          <ul className={gridStyles['grid']} aria-busy={isLoading}>
            {fresh.map((listing, position) => (
              <li key={listing.id} data-tile={kind}>
                <ListingCard
                  listing={listing}
                  owner={owners.find(({ id }) => id === listing.ownerId)}
                  kind={kind}
                  position={position}
                  isEager={false}
                  {...options}
                />
              </li>
            ))}
            {isLoading &&
              Array.from({ length: placeholders }, (_, at) => (
                <li key={at} aria-hidden="true" data-placeholder>
                  <CardSkeleton />
                </li>
              ))}
          </ul>
        </>
      )}
    </section>
  );
}
