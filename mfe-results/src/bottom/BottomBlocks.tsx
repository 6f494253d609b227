import { useMemo, useRef, type ReactNode } from 'react';
import { SlotOutlet } from '@forecourt/shared-contracts/slots';
import { selectSession, usePageState } from '@forecourt/shared-contracts/store';
import { vehiclesOf, type GridItem } from '../grid/tiles.ts';
import {
  hasBottomBlock,
  wantsNearby,
  wantsSupplemental,
  foundVehicles,
  isAllNear,
  nearestFirst,
  outsideMarket,
} from './blockRules.ts';
import { useNearListings, useSimilarListings } from './useNearListings.ts';
import { VehicleBlock } from './VehicleBlock.tsx';
import styles from './VehicleBlock.later.module.css';
import { SIMILAR_PLACEHOLDERS, SUPPLEMENTAL_PLACEHOLDERS } from '../constants.ts';
import { toSupplementalQuery } from './supplementalQuery.ts';
import { selectSearch } from '../selectSearch.ts';

/**
 * More to look at when there are few matches: alike vehicles, a wider search,
 * the markets around (B2-BOTTOM-03, B2-BOTTOM-04). No vehicle stands in two blocks.
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
    supplemental: wantsSupplemental(search) ? toSupplementalQuery(criteria, context).toString() : null,
    // Without a market of one's own no other one is near.
    nearby:
      wantsNearby(search) && market
        ? toSupplementalQuery(criteria, { ...context, nearby: true }).toString()
        : null,
  };
  const alike = useSimilarListings(similarBlock, context, shownIds);
  const answers = {
    supplemental: useNearListings(supplementalBlock, 'supplemental', queries.supplemental),
    nearby: useNearListings(nearbyBlock, 'supplemental', queries.nearby),
  };
  const similar = foundVehicles(alike.answer, shownIds);
  const supplemental = foundVehicles(answers.supplemental, [...shownIds, ...similar.ids]);
  const nearby = nearestFirst(
    foundVehicles(market ? outsideMarket(answers.nearby, market) : answers.nearby, [
      ...shownIds,
      ...similar.ids,
      ...supplemental.ids,
    ]),
  );
  return (
    <>
      {alike.query !== null && (
        <VehicleBlock
          blockRef={similarBlock}
          kind="similar"
          heading="Similar vehicles"
          found={similar}
          placeholders={SIMILAR_PLACEHOLDERS}
        />
      )}
      {queries.supplemental !== null && (
        <VehicleBlock
          blockRef={supplementalBlock}
          kind="supplemental"
          heading="More vehicles for you"
          found={supplemental}
          placeholders={SUPPLEMENTAL_PLACEHOLDERS}
        />
      )}
      {queries.nearby !== null && (
        <VehicleBlock
          blockRef={nearbyBlock}
          kind="nearby"
          heading={isAllNear(nearby) ? 'From markets near you' : 'From other markets'}
          found={nearby}
          placeholders={SUPPLEMENTAL_PLACEHOLDERS}
        />
      )}
      {hasBottomBlock(search) && <SlotOutlet name="email-capture" className={styles['capture'] ?? ''} />}
    </>
  );
}
