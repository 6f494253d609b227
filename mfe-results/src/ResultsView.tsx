import { useEffect, useRef, useState, type ReactNode } from 'react';
import { selectFlag, usePageState } from '@forecourt/shared-contracts/store';
import { NoResults } from './alerts/NoResults.tsx';
import { SearchAlerts } from './alerts/SearchAlerts.tsx';
import { BottomBlocks } from './bottom/BottomBlocks.tsx';
import { CompareDrawer } from './compare/CompareDrawer.tsx';
import { CompareProvider, CompareStore } from './compare/compareStore.ts';
import { ResultsGrid } from './grid/ResultsGrid.tsx';
import { useVehicleTiles } from './grid/useVehicleTiles.ts';
import { ResultsHeader } from './header/ResultsHeader.tsx';
import { Paging } from './paging/Paging.tsx';
import styles from './ResultsView.module.css';

/** Everything between the toolbar and the model's own section. */
export function ResultsView(): ReactNode {
  const status = usePageState(({ search }) => search.status);
  const hasCompare = usePageState(selectFlag('compare'));
  const { newest, shown } = useVehicleTiles();
  const isPending = shown !== newest;
  const list = useRef<HTMLUListElement>(null);
  const [compare] = useState(() => new CompareStore());
  useEffect(() => compare.restore(), [compare]);
  const isEmpty = status === 'invalid' || (shown.tiles.length === 0 && status !== 'failed');
  return (
    <CompareProvider value={compare}>
      <section className={styles['results']} aria-labelledby="results-heading">
        <SearchAlerts />
        <ResultsHeader />
        {isEmpty ? (
          <div id="listings" tabIndex={-1}>
            <NoResults />
          </div>
        ) : (
          <>
            <ResultsGrid content={shown} isPending={isPending} listRef={list} />
            <Paging tileCount={shown.tiles.length} isPending={isPending} listRef={list} />
          </>
        )}
        <BottomBlocks tiles={newest.tiles} />
      </section>
      {hasCompare && <CompareDrawer />}
    </CompareProvider>
  );
}
