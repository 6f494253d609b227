import { useEffect, useRef, useState, type ReactNode } from 'react';
import { usePageState } from '@forecourt/slots';
import { SearchAlerts } from './SearchAlerts.tsx';
import { ProgramDealers, ProgramNote } from './CertifiedProgram.tsx';
import { CompareProvider, CompareStore } from '../compare/compareStore.ts';
import { ResultsGrid } from '../grid/ResultsGrid.tsx';
import { isVehicle, tileCount } from '../grid/tiles.ts';
import { useGrid } from '../grid/useGrid.ts';
import { ResultsHeader } from './ResultsHeader.tsx';
import { useIdle, Loaded } from '../browser/lazyLoading.tsx';
import { Paging, useEndless } from '../paging/Paging.tsx';
import laterStyles from './ResultsView.later.module.css';
import styles from './ResultsView.module.css';
import { NoResults } from './NoResults.tsx';

const loadLaterParts = () =>
  import(/* webpackChunkName: "below-results" */ '../results/LaterParts.tsx').then(
    ({ LaterParts }) => LaterParts,
  );

/** The results: heading, sort, grid, paging and the blocks below. */
export function ResultsView(): ReactNode {
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
      <section className={`${styles['results']} ${laterStyles['printed']}`} aria-labelledby="results-heading">
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
