import { useState, type ReactNode } from 'react';
import { selectFlag, selectSession } from '@forecourt/search/state';
import { usePageState } from '@forecourt/slots';
import { CornerAlert } from '../stillInterested/CornerAlert.tsx';
import { BottomBlocks } from '../bottom/BottomBlocks.tsx';
import { CompareDrawer } from '../compare/CompareDrawer.tsx';
import { FixedAd } from '../ads/FixedAd.tsx';
import type { GridItem } from '../grid/tiles.ts';
import { useReturnToCard } from '../paging/useReturnToCard.ts';
import { ExpertReviews } from '../bottom/ExpertReviews.tsx';
import { useBottomEdge } from '../browser/useBottomEdge.ts';
import { useScrollRoom } from '../browser/useScrollRoom.ts';
import { RecentVehicles } from '../vehicle/RecentVehicles.tsx';

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
      <RecentVehicles />
      {hasCompare && <CompareDrawer bottomOffset={adHeight} onCover={setDrawerHeight} />}
      {hasAds && !isBot && <FixedAd onCover={setAdHeight} />}
      <CornerAlert adHeight={adHeight} bottomOffset={drawerHeight} onCover={setAlertHeight} />
    </>
  );
}
