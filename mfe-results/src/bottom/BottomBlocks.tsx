import { type ReactNode, useMemo, useRef } from 'react';
import { selectSession } from '@forecourt/search/state';
import { SlotOutlet, usePageState } from '@forecourt/slots';
import { type GridItem, vehiclesOf } from '../grid/tiles.ts';
import {
  blockContent,
  hasBottomBlock,
  isAllNear,
  nearestFirst,
  outsideMarket,
  toSupplementalQuery,
  shouldLoadNearby,
  shouldLoadSupplemental,
} from './blockRules.ts';
import styles from './BottomBlocks.later.module.css';
import { SIMILAR_PLACEHOLDERS, SUPPLEMENTAL_PLACEHOLDERS } from '../constants.ts';
import { selectSearch } from '../search/SearchLink.tsx';
import { useNearListings } from './useNearListings.ts';
import { useSimilarListings } from './useSimilarListings.ts';
import { VehicleBlock } from './VehicleBlock.tsx';

/**
 * More vehicles when there are few matches: similar ones, a wider search, other markets. No vehicle appears in two
 * blocks.
 */
export function BottomBlocks({ items }: { items: readonly GridItem[] }): ReactNode {
  const search = usePageState(selectSearch);
  const session = usePageState(selectSession);
  const similarBlock = useRef<HTMLElement>(null);
  const supplementalBlock = useRef<HTMLElement>(null);
  const nearbyBlock = useRef<HTMLElement>(null);
  const shownIds = useMemo(() => vehiclesOf(items).map(({ listing }) => listing.id), [items]);
  const { criteria } = search;
  const market = search.pageData.marketExtensionDma;
  const context = { brand: session.brand, ...(session.visitorZip && { visitorZip: session.visitorZip }) };
  const queries = {
    supplemental: shouldLoadSupplemental(search) ? toSupplementalQuery(criteria, context).toString() : null,
    // Without a home market there are no nearby markets.
    nearby:
      shouldLoadNearby(search) && market
        ? toSupplementalQuery(criteria, { ...context, nearby: true }).toString()
        : null,
  };
  const similarListings = useSimilarListings(similarBlock, context, shownIds);
  const responses = {
    supplemental: useNearListings(supplementalBlock, 'supplemental', queries.supplemental),
    nearby: useNearListings(nearbyBlock, 'supplemental', queries.nearby),
  };
  const similar = blockContent(similarListings.response, shownIds);
  const supplemental = blockContent(responses.supplemental, [...shownIds, ...similar.ids]);
  const nearby = nearestFirst(
    blockContent(market ? outsideMarket(responses.nearby, market) : responses.nearby, [
      ...shownIds,
      ...similar.ids,
      ...supplemental.ids,
    ]),
  );
  return (
    <>
      {similarListings.query !== null && (
        <VehicleBlock
          blockRef={similarBlock}
          kind="similar"
          heading="Similar vehicles"
          content={similar}
          placeholders={SIMILAR_PLACEHOLDERS}
        />
      )}
      {queries.supplemental !== null && (
        <VehicleBlock
          blockRef={supplementalBlock}
          kind="supplemental"
          heading="More vehicles for you"
          content={supplemental}
          placeholders={SUPPLEMENTAL_PLACEHOLDERS}
        />
      )}
      {queries.nearby !== null && (
        <VehicleBlock
          blockRef={nearbyBlock}
          kind="nearby"
          heading={isAllNear(nearby) ? 'From markets near you' : 'From other markets'}
          content={nearby}
          placeholders={SUPPLEMENTAL_PLACEHOLDERS}
        />
      )}
      {hasBottomBlock(search) && <SlotOutlet name="email-capture" className={styles['capture'] ?? ''} />}
    </>
  );
}
