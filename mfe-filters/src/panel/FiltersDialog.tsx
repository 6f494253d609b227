import { type ReactNode, useCallback, useEffect, useState } from 'react';
import type { SearchCriteria } from '@forecourt/search/criteria';
import { toSearchQuery } from '@forecourt/search/query';
import { selectSession } from '@forecourt/search/state';
import { useSlotEnvironment, usePageState } from '@forecourt/slots';
import { Button, Dialog, VisuallyHidden } from '@forecourt/slots/ui';
import type { Filter } from '@forecourt/upstream/entities';
import { FilterPanel } from './FilterPanel.tsx';
import { OptionsProvider } from '../search/panelData.tsx';
import { createDraft } from '../search/editStore.ts';
import { PendingFieldsProvider, usePendingFields } from '../search/pendingFields.tsx';
import { EditsProvider, useCriteria, useEdit } from '../search/searchEdits.tsx';
import { isSameSearch, useClearFilters } from '../search/criteriaChanges.ts';
import styles from './FiltersDialog.later.module.css';
import { matchesText } from '../search/matchesText.ts';
import { ExperienceLinks } from './ExperienceLinks.tsx';

/** ms; after several quick changes, screen readers hear only the last count. */
const ANNOUNCE_AFTER_MS = 500;

interface FiltersDialogProps {
  /** Criteria that the dialog starts from. */
  readonly start: SearchCriteria;
  /** 'See Results' is likely to be clicked: the count of a changed draft is shown, or the button is pressed. */
  readonly onExpect: (criteria: SearchCriteria) => void;
  /** 'See Results' was clicked; undefined if nothing changed. */
  readonly onApply: (criteria: SearchCriteria | undefined) => void;
  /** Closed otherwise; `draft` is undefined if nothing changed. */
  readonly onCancel: (draft: SearchCriteria | undefined) => void;
}

/**
 * The filters on small screens. Changes go to a draft with a live count; 'See Results' starts
 * the search.
 */
export function FiltersDialog({ start, onExpect, onApply, onCancel }: FiltersDialogProps): ReactNode {
  const [draft] = useState(() => createDraft(start));
  const changedDraft = useCallback(
    () => (isSameSearch(draft.current(), start) ? undefined : draft.current()),
    [draft, start],
  );
  const expectDraft = useCallback(() => {
    const changed = changedDraft();
    if (changed) onExpect(changed);
  }, [changedDraft, onExpect]);
  return (
    <EditsProvider edits={draft}>
      <DraftPanel
        onExpect={expectDraft}
        onApply={() => onApply(changedDraft())}
        onCancel={() => onCancel(changedDraft())}
      />
    </EditsProvider>
  );
}

interface DraftPanelProps {
  readonly onExpect: () => void;
  readonly onApply: () => void;
  readonly onCancel: () => void;
}

function DraftPanel({ onExpect, onApply, onCancel }: DraftPanelProps): ReactNode {
  const criteria = useCriteria();
  const edit = useEdit();
  const { filters, total, isPending } = usePreview(criteria);
  const { clear, isOffered } = useClearFilters(criteria);
  const text = total === undefined ? '' : matchesText(total);
  const announcement = useDebounced(isPending ? '' : text, ANNOUNCE_AFTER_MS);
  // After the count, so that its response isn't later; a failed one says that the upstream has enough to do.
  useEffect(() => {
    if (!isPending && total !== undefined) onExpect();
  }, [isPending, total, onExpect]);
  const fields = usePendingFields();
  const [isCommitting, setIsCommitting] = useState(false);
  const apply = async () => {
    if (isCommitting) return;
    setIsCommitting(true);
    const isCommitted = await fields.commitAll();
    setIsCommitting(false);
    if (isCommitted) onApply();
  };
  return (
    <Dialog
      open
      title="Filters"
      onClose={onCancel}
      footer={
        <div className={styles['actions']}>
          <Button
            look="primary"
            className={styles['see']}
            aria-busy={isCommitting}
            onPointerDown={onExpect}
            onClick={() => void apply()}
          >
            See Results
            <span className={styles['total']} data-pending={isPending || undefined}>
              {text}
            </span>
          </Button>
          <Button
            look="quiet"
            className={styles['clear']}
            // aria-disabled keeps the focus on the button that was just pressed.
            aria-disabled={!isOffered}
            onClick={() => isOffered && edit(clear, 'clearFilters')}
          >
            Clear Filters
          </Button>
          <VisuallyHidden>
            <span role="status">{announcement}</span>
          </VisuallyHidden>
        </div>
      }
    >
      <OptionsProvider filters={filters}>
        <PendingFieldsProvider fields={fields}>
          <FilterPanel />
        </PendingFieldsProvider>
        <ExperienceLinks />
      </OptionsProvider>
    </Dialog>
  );
}

/** The value, once it hasn't changed for `ms`. */
function useDebounced<Value>(value: Value, ms: number): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return debounced;
}

interface Preview {
  /** Filters of the draft; the page's until the first response. */
  readonly filters: readonly Filter[];
  /** Number of vehicles that match the draft; undefined if the call failed. */
  readonly total: number | undefined;
  readonly isPending: boolean;
}

/** Filters and total for a draft, without changing the page. A newer draft aborts the previous call. */
function usePreview(draft: SearchCriteria): Preview {
  const { call } = useSlotEnvironment();
  const { brand, visitorZip } = usePageState(selectSession);
  const pageFilters = usePageState(({ search }) => search.filters);
  const pageTotal = usePageState(({ search }) => search.totalResultCount);
  const [start] = useState(draft);
  const [result, setResult] = useState<{
    readonly draft: SearchCriteria;
    readonly filters?: readonly Filter[];
    readonly total?: number;
  }>({ draft: start, total: pageTotal });
  useEffect(() => {
    if (draft === start) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const query = toSearchQuery(draft, { brand, ...(visitorZip !== null && { visitorZip }) });
    // Only the filters and the total are used.
    query.set('numRecords', '1');
    call('filterPreview', Object.fromEntries(query), { signal }).then(
      ({ filters, totalResultCount }) =>
        !signal.aborted && setResult({ draft, filters, total: totalResultCount }),
      () => !signal.aborted && setResult(({ filters }) => ({ draft, ...(filters && { filters }) })),
    );
    return () => controller.abort();
  }, [call, draft, start, brand, visitorZip]);
  return { filters: result.filters ?? pageFilters, total: result.total, isPending: result.draft !== draft };
}
