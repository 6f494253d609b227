import { useState, type ReactNode, useEffect } from 'react';
import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { Button, Dialog, VisuallyHidden } from '@forecourt/shared-contracts/ui';
import { ExperienceLinks } from './ExperienceLinks.tsx';
import { FilterPanel } from './FilterPanel.tsx';
import { OptionsProvider } from '../search/panelData.tsx';
import { createDraft } from '../search/editStore.ts';
import { PendingFieldsProvider, usePendingFields } from '../search/pendingFields.tsx';
import { EditsProvider, useCriteria, useEdit } from '../search/searchEdits.tsx';
import { isSameSearch, useClearFilters } from '../search/changes.ts';
import { matchesText } from './YourSearch.tsx';
import { usePreview } from './usePreview.ts';
import styles from './FiltersDialog.later.module.css';
/** ms; several quick choices are said once, by their last count. */
const SPOKEN_AFTER = 500;

interface FiltersDialogProps {
  /** Criteria that the dialog starts from. */
  readonly start: SearchCriteria;
  /** 'See Results': undefined when nothing was changed. */
  readonly onApply: (criteria: SearchCriteria | undefined) => void;
  /** Closed in any other way, with what was chosen until then. */
  readonly onCancel: (draft: SearchCriteria | undefined) => void;
}

/**
 * The filters of small screens (B2-PANEL-02, B2-PANEL-03). Choices are a draft
 * with its live count: the page behind is searched once, by 'See Results'.
 */
export function FiltersDialog({ start, onApply, onCancel }: FiltersDialogProps): ReactNode {
  const [draft] = useState(() => createDraft(start));
  const changed = () => (isSameSearch(draft.current(), start) ? undefined : draft.current());
  return (
    <EditsProvider edits={draft}>
      <DraftPanel onApply={() => onApply(changed())} onCancel={() => onCancel(changed())} />
    </EditsProvider>
  );
}

function DraftPanel({ onApply, onCancel }: { onApply: () => void; onCancel: () => void }): ReactNode {
  const criteria = useCriteria();
  const edit = useEdit();
  const { filters, total, isPending } = usePreview(criteria);
  const { clear, isOffered } = useClearFilters(criteria);
  const text = total === undefined ? '' : matchesText(total);
  const spoken = useSettled(isPending ? '' : text, SPOKEN_AFTER);
  const fields = usePendingFields();
  const [isSettling, setIsSettling] = useState(false);
  const apply = async () => {
    if (isSettling) return;
    setIsSettling(true);
    const isSettled = await fields.settle();
    setIsSettling(false);
    if (isSettled) onApply();
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
            aria-busy={isSettling}
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
            // Disabled it would lose the focus of who has just pressed it.
            aria-disabled={!isOffered}
            onClick={() => isOffered && edit(clear, 'clearFilters')}
          >
            Clear Filters
          </Button>
          <VisuallyHidden>
            <span role="status">{spoken}</span>
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

/** The value, once it has stayed the same for some ms. */
export function useSettled<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
