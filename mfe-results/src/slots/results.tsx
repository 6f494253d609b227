import { useEffect, useRef, useState, type ReactNode } from 'react';
import { defineSlot } from '@forecourt/shared-contracts/slots';
import { usePageState } from '@forecourt/shared-contracts/store';
import { NoResults, SearchAlerts } from '../results/SearchStates.tsx';
import { ProgramDealers, ProgramNote } from '../results/CertifiedProgram.tsx';
import { CompareProvider, CompareStore } from '../compare/compareStore.ts';
import { ResultsGrid } from '../grid/ResultsGrid.tsx';
import { isVehicle, tileCount } from '../grid/tiles.ts';
import { useGrid } from '../grid/useGrid.ts';
import { ResultsHeader } from '../results/ResultsHeader.tsx';
import { useIdle, Loaded } from '../browser/lazyLoading.tsx';
import { Paging, useEndless } from '../paging/Paging.tsx';
import styles from '../results/results.module.css';
// The shell inlines only a slot's initial styles, so the styles of lazily loaded chunks are imported here.
import '../ads/AdFrame.later.module.css';
import '../stillInterested/CornerCard.later.module.css';
import '../bottom/ExpertReviews.later.module.css';
import '../bottom/VehicleBlock.later.module.css';
import '../compare/CompareDialog.later.module.css';
import '../compare/CompareDrawer.later.module.css';
import '../ads/FixedAd.later.module.css';

export default defineSlot({
  needs: [
    'session',
    'search.adjustment',
    'search.boost',
    'search.breadcrumbs',
    'search.chips',
    'search.criteria',
    'search.firstLoadedRecord',
    'search.listings',
    'search.notice',
    'search.owners',
    'search.pageData',
    'search.pageSizes',
    'search.requestId',
    'search.spotlights',
    'search.status',
    'search.suggestions',
    'search.totalResultCount',
    'search.url',
    'search.vehicleHighlight',
  ],
  view: ResultsView,
});

const loadLaterParts = () =>
  import(/* webpackChunkName: "below-results" */ '../results/LaterParts.tsx').then(
    ({ LaterParts }) => LaterParts,
  );

/** The results: heading, sort, grid, paging and the blocks below. */
function ResultsView(): ReactNode {
  const status = usePageState(({ search }) => search.status);
  const list = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const { newest, shownContent, isGrowing } = useGrid(end);
  const isPending = shownContent !== newest;
  const isEndless = useEndless();
  const [compare] = useState(() => new CompareStore());
  useEffect(() => compare.restore(), [compare]);
  const isIdle = useIdle();
  const isEmpty = status === 'invalid' || (!shownContent.items.some(isVehicle) && status !== 'failed');
  return (
    <CompareProvider value={compare}>
      <section className={styles['results']} aria-labelledby="results-heading">
        <SearchAlerts />
        <ResultsHeader />
        <ProgramNote />
        {isEmpty ? (
          <div id="listings" tabIndex={-1}>
            <NoResults />
          </div>
        ) : (
          <>
            <ResultsGrid
              content={shownContent}
              isPending={isPending}
              isGrowing={isGrowing}
              isEndless={isEndless}
              listRef={list}
              endRef={end}
            />
            <Paging
              tileCount={tileCount(shownContent.items)}
              isPending={isPending}
              isGrowing={isGrowing}
              isEndless={isEndless}
              listRef={list}
              endRef={end}
            />
          </>
        )}
        <ProgramDealers />
        <Loaded load={loadLaterParts} isLoadRequested={isIdle} props={{ items: newest.items }} />
      </section>
    </CompareProvider>
  );
}
