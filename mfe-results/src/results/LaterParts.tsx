import { useState, type ReactNode, useEffect } from 'react';
import { selectFlag, selectSession, usePageState } from '@forecourt/shared-contracts/store';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { CornerAlert } from '../stillInterested/CornerAlert.tsx';
import { BottomBlocks } from '../bottom/BottomBlocks.tsx';
import { ExpertReviews } from '../bottom/ExpertReviews.tsx';
import { CompareDrawer } from '../compare/CompareDrawer.tsx';
import { FixedAd } from '../ads/FixedAd.tsx';
import type { GridItem } from '../grid/tiles.ts';
import { useReturnToCard } from '../paging/useReturnToCard.ts';

export interface LaterPartsProps {
  readonly items: readonly GridItem[];
}

/** What stands below the results, and at the edge of the screen: ad, compare drawer and alert, one above the other. */
export function LaterParts({ items }: LaterPartsProps): ReactNode {
  const hasCompare = usePageState(selectFlag('compare'));
  const hasAds = usePageState(selectFlag('ads'));
  const { isBot } = usePageState(selectSession);
  const [adHeight, setAdHeight] = useState(0);
  const [drawerHeight, setDrawerHeight] = useState(0);
  const [alertHeight, setAlertHeight] = useState(0);
  useReturnToCard(items);
  const covered = adHeight + drawerHeight + alertHeight;
  useBottomEdge('results', covered);
  useScrollRoom(covered);
  return (
    <>
      <BottomBlocks items={items} />
      <ExpertReviews />
      {hasCompare && <CompareDrawer lift={adHeight} onCover={setDrawerHeight} />}
      {hasAds && !isBot && <FixedAd onCover={setAdHeight} />}
      <CornerAlert adHeight={adHeight} lift={drawerHeight} onCover={setAlertHeight} />
    </>
  );
}

/** Tells the page that `by` covers so many px of the viewport's bottom edge while it is mounted. */
export function useBottomEdge(by: string, height: number): void {
  const emit = useEmit();
  useEffect(() => {
    if (height === 0) return undefined;
    emit('page.bottomCovered', { by, height });
    return () => emit('page.bottomCovered', { by, height: 0 });
  }, [emit, by, height]);
}

/**
 * Lets the page be scrolled on by `height` px, so that what stands at its end,
 * or has the focus, is not hidden below the bottom edge. It is room behind
 * everything else: nothing moves.
 */
export function useScrollRoom(height: number): void {
  useEffect(() => {
    const { body, documentElement } = document;
    if (height === 0) return undefined;
    body.style.paddingBlockEnd = `${height}px`;
    documentElement.style.scrollPaddingBlockEnd = `${height}px`;
    return () => {
      body.style.paddingBlockEnd = '';
      documentElement.style.scrollPaddingBlockEnd = '';
    };
  }, [height]);
}
