import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { SlotOutlet, useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { selectSession, usePageState } from '@forecourt/shared-contracts/store';
import { type GridItem, vehiclesOf } from '../grid/tiles.ts';
import {
  type BlockContent,
  type NearListings,
  blockContent,
  hasBottomBlock,
  isAllNear,
  nearestFirst,
  outsideMarket,
  toSupplementalQuery,
  shouldLoadNearby,
  shouldLoadSimilar,
  shouldLoadSupplemental,
} from './blockRules.ts';
import styles from './VehicleBlock.later.module.css';
import { SIMILAR_PLACEHOLDERS, SUPPLEMENTAL_PLACEHOLDERS } from '../constants.ts';
import { selectSearch } from '../search/SearchLink.tsx';
import { toSimilarQuery } from '../search/similarQuery.ts';
import { CardSkeleton, ListingCard } from '../card/ListingCard.tsx';
import { marksOf, useCardMarks, useCardOptions, type CardKind } from '../card/cardState.ts';
import gridStyles from '../grid/ResultsGrid.module.css';
import type { ListingsResponse } from '@forecourt/shared-contracts/entities';
import type { RequestContext } from '@forecourt/shared-contracts/query';
import { whenNear } from '../browser/lazyLoading.tsx';

/**
 * More vehicles when there are few matches: similar ones, a wider search, other markets (B2-BOTTOM-03,
 * B2-BOTTOM-04). No vehicle appears in two blocks.
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

/**
 * A block below the results: placeholders while loading, nothing when empty. Placeholders are present before
 * the block is near, because adding them later would shift what a fast scroller already sees.
 */
function VehicleBlock(props: {
  blockRef: RefObject<HTMLElement | null>;
  kind: CardKind;
  heading: string;
  content: BlockContent;
  placeholders: number;
}): ReactNode {
  const { blockRef, kind, heading, content, placeholders } = props;
  const options = useCardOptions();
  const marks = useCardMarks();
  const { isLoading, vehicles } = content;
  const isVisible = isLoading || vehicles.length > 0;
  return (
    <section
      ref={blockRef}
      className={styles['block']}
      aria-label={isVisible ? heading : undefined}
      data-block={kind}
    >
      {isVisible && (
        <>
          <h2 className={styles['heading']}>{heading}</h2>
          <ul className={gridStyles['segment']} aria-busy={isLoading}>
            {vehicles.map(({ listing, owner }, position) => (
              <li key={listing.id} data-tile={kind}>
                <ListingCard
                  listing={listing}
                  owner={owner}
                  kind={kind}
                  position={position}
                  isEager={false}
                  {...options}
                  {...marksOf(marks, listing.id)}
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

const NO_LISTINGS: ListingsResponse = { listings: [], owners: [] };

/**
 * Loads listings when their block comes near the viewport (A9-LIMIT-13, AMB-143). A changed `query` loads
 * again, null loads nothing, and the last response is reused when its query returns. A failure counts as no
 * listings: the block is optional (B8).
 */
function useNearListings(
  block: RefObject<Element | null>,
  call: 'similar' | 'supplemental',
  query: string | null,
): NearListings {
  const environment = useSlotEnvironment();
  const [state, setState] = useState<{ query: string; response: ListingsResponse }>();
  const lastQuery = useRef<string>(undefined);
  useEffect(() => {
    const element = block.current;
    if (!element || query === null || query === lastQuery.current) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const receive = (response: ListingsResponse) => {
      if (signal.aborted) return;
      setState({ query, response });
      lastQuery.current = response === NO_LISTINGS ? undefined : query;
    };
    const stopWaiting = whenNear(element, () => {
      environment
        .call(call, Object.fromEntries(new URLSearchParams(query)), { signal })
        .then(receive, () => receive(NO_LISTINGS));
    });
    return () => {
      stopWaiting();
      controller.abort();
    };
  }, [block, call, environment, query]);
  return state && state.query === query ? state.response : 'pending';
}

/** The last response. */
interface LoadedSimilar {
  readonly query: string;
  /** The query without the excluded listing ids. */
  readonly baseQuery: string;
  readonly count: number;
}

interface SimilarListings {
  /** Null when there is no request. */
  readonly query: string | null;
  readonly response: NearListings;
}

/**
 * Similar vehicles. Loaded ones stay while the search is the same; more are requested (e.g. after a further
 * page of results) only while there are few (B9-SCROLL-02, AMB-021).
 */
function useSimilarListings(
  block: RefObject<Element | null>,
  context: RequestContext,
  shownIds: readonly string[],
): SimilarListings {
  const search = usePageState(selectSearch);
  const { criteria, listings } = search;
  const baseQuery = toSimilarQuery(criteria, { ...context, shownIds: [], listings }).toString();
  const [last, setLast] = useState<LoadedSimilar>();
  const current = last?.baseQuery === baseQuery ? last : undefined;
  const query = shouldLoadSimilar(search, current?.count ?? 0)
    ? toSimilarQuery(criteria, { ...context, shownIds, listings }).toString()
    : (current?.query ?? null);
  const response = useNearListings(block, 'similar', query);
  if (query !== null && query !== current?.query && response !== 'pending')
    setLast({ query, baseQuery, count: response.listings.length });
  return { query, response };
}
