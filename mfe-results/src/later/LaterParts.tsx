import { useState, type ReactNode } from 'react';
import { selectFlag, selectSession, usePageState } from '@forecourt/shared-contracts/store';
import { CornerAlert } from '../alerts/stillInterested/CornerAlert.tsx';
import { BottomBlocks } from '../bottom/BottomBlocks.tsx';
import { ExpertReviews } from '../bottom/ExpertReviews.tsx';
import { CompareDrawer } from '../compare/CompareDrawer.tsx';
import { FixedAd } from '../fixedAd/FixedAd.tsx';
import type { GridItem } from '../grid/tiles.ts';
import { useReturnToCard } from '../paging/useReturnToCard.ts';
import { useBottomEdge, useScrollRoom } from './useBottomEdge.ts';

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
