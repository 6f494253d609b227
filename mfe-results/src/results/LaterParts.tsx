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

/**
 * The blocks below the results, and the overlays at the bottom edge of the screen: ad, compare drawer and
 * alert.
 */
export function LaterParts({ items }: LaterPartsProps): ReactNode {
  const hasCompare = usePageState(selectFlag('compare'));
  const hasAds = usePageState(selectFlag('ads'));
  const { isBot } = usePageState(selectSession);
  const [adHeight, setAdHeight] = useState(0);
  const [drawerHeight, setDrawerHeight] = useState(0);
  const [alertHeight, setAlertHeight] = useState(0);
  useReturnToCard(items);
  const coveredHeight = adHeight + drawerHeight + alertHeight;
  useBottomEdge('results', coveredHeight);
  useScrollRoom(coveredHeight);
  return (
    <>
      <BottomBlocks items={items} />
      <ExpertReviews />
      {hasCompare && <CompareDrawer bottomOffset={adHeight} onCover={setDrawerHeight} />}
      {hasAds && !isBot && <FixedAd onCover={setAdHeight} />}
      <CornerAlert adHeight={adHeight} bottomOffset={drawerHeight} onCover={setAlertHeight} />
    </>
  );
}

/** Reports that `by` covers the bottom `height` px of the viewport while mounted. */
export function useBottomEdge(by: string, height: number): void {
  const emit = useEmit();
  useEffect(() => {
    if (height === 0) return undefined;
    emit('page.bottomCovered', { by, height });
    return () => emit('page.bottomCovered', { by, height: 0 });
  }, [emit, by, height]);
}

/**
 * Adds `height` px of scroll space, so that the bottom edge never hides the end of the page. The space comes
 * after all content, so nothing shifts.
 */
export function useScrollRoom(height: number): void {
  useEffect(() => {
    const { body } = document;
    if (height === 0) return undefined;
    body.style.paddingBlockEnd = `${height}px`;
    return () => {
      body.style.paddingBlockEnd = '';
    };
  }, [height]);
}
