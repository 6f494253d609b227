import type { ReactNode, RefObject } from 'react';
import type { BlockContent } from './blockRules.ts';
import { BottomBlock } from './BottomBlock.tsx';
import { ListingCard } from '../card/ListingCard.tsx';
import { marksOf, useCardMarks, useCardOptions, type CardKind } from '../card/cardState.ts';
import { segmentClass } from '../grid/ResultsGrid.tsx';
import { CardSkeleton } from '../card/CardSkeleton.tsx';

/**
 * A block below the results: placeholders while loading, nothing when empty. Placeholders are present before
 * the block is near, because adding them later would shift what a fast scroller already sees.
 */
export function VehicleBlock(props: {
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
    <BottomBlock blockRef={blockRef} name={kind} heading={heading} isVisible={isVisible}>
      <ul className={segmentClass} aria-busy={isLoading}>
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
    </BottomBlock>
  );
}
