import { useMemo, useRef, type MouseEvent, type ReactNode } from 'react';
import { type Chip, clearFilters, removeChip, type SearchCriteria } from '@forecourt/shared-contracts/search';
import { selectFlag, usePageState } from '@forecourt/shared-contracts/store';
import { Icon, VisuallyHidden } from '@forecourt/shared-contracts/ui';
import { usePanelData } from '../panel/panelData.tsx';
import { searchHref } from '../search/links.ts';
import { isPlainClick } from '../search/isPlainClick.ts';
import { useCriteria, useEdit, useLaterCriteria } from '../search/searchEdits.tsx';
import { chipAfterRemoval, standingChips } from './chipState.ts';
import styles from './Chips.module.css';

const RESULTS_HEADING = 'results-heading';

function focusResults() {
  const heading = document.getElementById(RESULTS_HEADING);
  if (!heading) return;
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
  heading.focus();
}

/**
 * The selected filters in reading order, 'Clear Filters' last. Each is a link
 * to the search without it. The focus goes on to the next chip, from the last
 * one to the results (B2-TOOL-06, B2-TOOL-10, B4-CLEAR-01..04, B4-CAT-04).
 */
export function Chips({ label, isOneLine = false }: { label: string; isOneLine?: boolean }): ReactNode {
  const criteria = useCriteria();
  const edit = useEdit();
  const { reference } = usePanelData();
  const linked = useLaterCriteria();
  const answered = usePageState(({ search }) => search.chips);
  const chips = standingChips(answered, criteria);
  const clearExperience = usePageState(selectFlag('clearExperience'));
  const list = useRef<HTMLUListElement>(null);
  const hrefs = useMemo(
    () => new Map(answered.map((chip) => [chip.key, searchHref(removeChip(linked, chip, reference))])),
    [answered, linked, reference],
  );
  if (chips.length === 0) return null;

  const without = (chip: Chip) => (newest: SearchCriteria) => removeChip(newest, chip, reference);
  const clear = (newest: SearchCriteria) => clearFilters(newest, { clearExperience });
  const remove = (chip: Chip) => (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    const next = chipAfterRemoval(chips, chip, without(chip)(criteria));
    if (next === undefined) focusResults();
    else list.current?.querySelectorAll('a')[chips.indexOf(next)]?.focus();
    edit(without(chip), `chip:${chip.key}`);
  };
  return (
    <ul
      ref={list}
      className={isOneLine ? `${styles['chips']} ${styles['oneLine']}` : styles['chips']}
      aria-label={label}
    >
      {chips.map((chip) => (
        <li key={chip.key}>
          <a className={styles['chip']} href={hrefs.get(chip.key)} onClick={remove(chip)}>
            <VisuallyHidden>Remove </VisuallyHidden>
            <span className={styles['label']}>{chip.label}</span>
            <Icon name="close" size={16} />
          </a>
        </li>
      ))}
      <li>
        <a
          className={styles['clear']}
          href={searchHref(clear(linked))}
          onClick={(event) => {
            if (!isPlainClick(event)) return;
            event.preventDefault();
            focusResults();
            edit(clear, 'clearFilters');
          }}
        >
          Clear Filters
        </a>
      </li>
    </ul>
  );
}
