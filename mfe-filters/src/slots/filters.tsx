import { useCallback, useEffect, useState, type ReactNode } from 'react';
import type { SearchCriteria } from '@forecourt/search/criteria';
import { defineSlot, useSlotEnvironment } from '@forecourt/slots';
import type { ToastContent } from '@forecourt/slots/ui';
import { FiltersDialog } from '../panel/FiltersDialog.tsx';
import { FilterPanel } from '../panel/FilterPanel.tsx';
import { PanelDataProvider } from '../search/panelData.tsx';
import { SearchEditsProvider, useEdit, useExpectEdit, useLatestCriteria } from '../search/searchEdits.tsx';
import styles from './filters.module.css';
import { focusResults, isPastResults } from '../search/focusResults.ts';
import { FocusKeepingToast } from '../search/FocusKeepingToast.tsx';
import { ExperienceLinks } from '../panel/ExperienceLinks.tsx';

/** Media query: the filter panel is docked from this width on. */
const PANEL_DOCKS_FROM = 992;

const DOCKED = `(min-width: ${PANEL_DOCKS_FROM}px)`;
const isDocked = () => window.matchMedia(DOCKED).matches;

/**
 * Criteria at the time the dialog opened; undefined while it is closed. A request opens it, a screen that becomes wide
 * enough for the docked panel closes it.
 */
function useDialogStart() {
  const { listen } = useSlotEnvironment();
  const latest = useLatestCriteria();
  const [start, setStart] = useState<SearchCriteria>();
  const isOpen = start !== undefined;
  useEffect(
    () => listen('dialog.requested', ({ name }) => name === 'filters' && !isDocked() && setStart(latest())),
    [listen, latest],
  );
  useEffect(() => {
    if (!isOpen) return undefined;
    const query = window.matchMedia(DOCKED);
    const close = () => setStart(undefined);
    query.addEventListener('change', close);
    return () => query.removeEventListener('change', close);
  }, [isOpen]);
  return { start, close: () => setStart(undefined) };
}

/** Docked beside the results on wide screens, otherwise a dialog. */
function Filters(): ReactNode {
  const edit = useEdit();
  const expectEdit = useExpectEdit();
  const { start, close } = useDialogStart();
  const [toast, setToast] = useState<ToastContent | null>(null);
  const expectDraft = useCallback((criteria: SearchCriteria) => expectEdit(() => criteria), [expectEdit]);
  const apply = (criteria: SearchCriteria | undefined) => {
    close();
    setToast(null);
    if (!criteria) return;
    edit(() => criteria, 'filters');
    // Runs after the dialog has restored the focus: new results are read from their start.
    requestAnimationFrame(() => isPastResults() && focusResults());
  };
  const cancel = (draft: SearchCriteria | undefined) => {
    close();
    if (!draft) return;
    // Closing discards the draft, so offer to apply it.
    setToast({
      key: JSON.stringify(draft.filters),
      message: "Your filters weren't applied.",
      action: { label: 'Apply', onUse: () => apply(draft) },
    });
  };
  return (
    <>
      {start ? (
        <FiltersDialog start={start} onExpect={expectDraft} onApply={apply} onCancel={cancel} />
      ) : (
        <div className={styles['docked']}>
          <FilterPanel />
          <ExperienceLinks />
        </div>
      )}
      <FocusKeepingToast toast={toast} onGone={() => setToast(null)} />
    </>
  );
}

/** The filter panel. */
export default defineSlot({
  reads: [
    'search.criteria',
    'search.filters',
    'search.chips',
    'search.totalResultCount',
    'search.status',
    'search.requestId',
    'search.requestParams',
    'search.pageData',
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
