import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { PANEL_DOCKS_FROM } from '@forecourt/shared-contracts/rules';
import { defineSlot, useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { usePageState } from '@forecourt/shared-contracts/store';
import { Button, Dialog } from '@forecourt/shared-contracts/ui';
import { ExperienceLinks } from '../panel/ExperienceLinks.tsx';
import { FilterPanel } from '../panel/FilterPanel.tsx';
import { PanelDataProvider } from '../panel/panelData.tsx';
import { YourSearch } from '../panel/YourSearch.tsx';
import { SearchEditsProvider } from '../search/searchEdits.tsx';
import { matchesText } from '../toolbar/matchesText.ts';
import styles from './filters.module.css';

const isDocked = () => window.matchMedia(`(min-width: ${PANEL_DOCKS_FROM}px)`).matches;

/** Docked beside the results, or a dialog where there is no room (B2-PANEL-01..03, AMB-095). */
function Filters(): ReactNode {
  const { listen } = useSlotEnvironment();
  const [isOpen, setIsOpen] = useState(false);
  const total = usePageState(({ search }) => search.totalResultCount);
  const close = useCallback(() => setIsOpen(false), []);
  useEffect(
    () => listen('dialog.requested', ({ name }) => name === 'filters' && !isDocked() && setIsOpen(true)),
    [listen],
  );
  useEffect(() => {
    if (!isOpen) return undefined;
    const query = window.matchMedia(`(min-width: ${PANEL_DOCKS_FROM}px)`);
    query.addEventListener('change', close);
    return () => query.removeEventListener('change', close);
  }, [isOpen, close]);
  return (
    <>
      {!isOpen && (
        <div className={styles['docked']}>
          <YourSearch />
          <FilterPanel />
          <ExperienceLinks />
        </div>
      )}
      <Dialog
        open={isOpen}
        title="Filters"
        onClose={close}
        footer={
          <Button look="primary" className={styles['see']} onClick={close}>
            See Results
            <span className={styles['total']} role="status">
              {matchesText(total)}
            </span>
          </Button>
        }
      >
        <FilterPanel />
        <ExperienceLinks />
      </Dialog>
    </>
  );
}

/** The filter panel with all its sections. */
export default defineSlot({
  needs: [
    'search.criteria',
    'search.filters',
    'search.chips',
    'search.totalResultCount',
    'search.status',
    'session',
  ],
  view: () => (
    <SearchEditsProvider>
      <PanelDataProvider>
        <Filters />
      </PanelDataProvider>
    </SearchEditsProvider>
  ),
});
