import type { ReactNode, RefObject } from 'react';
import { CardSkeleton } from '../card/ListingCard.tsx';
import { ListingCard } from '../card/ListingCard.tsx';
import { marksOf, useCardMarks, useCardOptions } from '../card/cardState.ts';
import gridStyles from '../grid/ResultsGrid.module.css';
import type { FoundVehicles } from './blockRules.ts';
import styles from './VehicleBlock.later.module.css';
import { type CardKind } from '../card/cardKind.ts';

/**
 * A block below the results: its shape until its vehicles are there, no trace
 * when nothing is found. The shape stands also before the block is near: set up
 * then, it would push away what a fast scroller has come to meanwhile.
 */
export function VehicleBlock(props: {
  blockRef: RefObject<HTMLElement | null>;
  kind: CardKind;
  heading: string;
  found: FoundVehicles;
  placeholders: number;
}): ReactNode {
  const { blockRef, kind, heading, found, placeholders } = props;
  const options = useCardOptions();
  const marks = useCardMarks();
  const { isLoading, vehicles } = found;
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
