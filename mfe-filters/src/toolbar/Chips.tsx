import { useMemo, useRef, type MouseEvent, type ReactNode } from 'react';
import type { Chip } from '@forecourt/shared-contracts/catalog';
import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { usePageState } from '@forecourt/shared-contracts/store';
import { Icon, VisuallyHidden } from '@forecourt/shared-contracts/ui';
import { usePanelData } from '../search/panelData.tsx';
import { searchHref, isPlainClick } from '../search/links.tsx';
import { focusResults } from '../search/focus.tsx';
import { useCriteria, useEdit, useLaterCriteria } from '../search/searchEdits.tsx';
import { useClearFilters } from '../search/changes.ts';
import styles from './Chips.module.css';
import { removeChip } from '../search/criteriaChanges.ts';

/** Drops all filters but the radius; nothing without another chip (B2-TOOL-10, B4-CLEAR-01..04). */
export function ClearFilters(): ReactNode {
  const criteria = useCriteria();
  const edit = useEdit();
  const linked = useLaterCriteria();
  const answered = usePageState(({ search }) => search.chips);
  const { clear, isOffered } = useClearFilters(criteria);
  if (!isOffered || standingChips(answered, criteria).length === 0) return null;
  return (
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
  );
}

/**
 * The selected filters in reading order, 'Clear Filters' last if wanted. Each is a link
 * to the search without it. The focus goes on to the next chip, from the last
 * one to the results (B2-TOOL-06, B4-CAT-04).
 */
export function Chips(props: {
  label: string;
  clears?: boolean;
  /** Said in place of the list while nothing is chosen. */
  whenNone?: string;
}): ReactNode {
  const { label, clears = false, whenNone } = props;
  const criteria = useCriteria();
  const edit = useEdit();
  const { reference } = usePanelData();
  const linked = useLaterCriteria();
  const answered = usePageState(({ search }) => search.chips);
  const chips = standingChips(answered, criteria);
  const { isOffered } = useClearFilters(criteria);
  const list = useRef<HTMLUListElement>(null);
  const hrefs = useMemo(
    () => new Map(answered.map((chip) => [chip.key, searchHref(removeChip(linked, chip, reference))])),
    [answered, linked, reference],
  );
  if (chips.length === 0) return whenNone ? <p className={styles['none']}>{whenNone}</p> : null;

  const without = (chip: Chip) => (newest: SearchCriteria) => removeChip(newest, chip, reference);
  const remove = (chip: Chip) => (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    const next = chipAfterRemoval(chips, chip, without(chip)(criteria));
    if (next === undefined) focusResults();
    else list.current?.querySelectorAll('a')[chips.indexOf(next)]?.focus();
    edit(without(chip), `chip:${chip.key}`);
  };
  return (
    <ul ref={list} className={styles['chips']} aria-label={label}>
      {chips.map((chip) => (
        <li key={chip.key}>
          <a className={styles['chip']} href={hrefs.get(chip.key)} onClick={remove(chip)}>
            <VisuallyHidden>Remove </VisuallyHidden>
            <span className={styles['label']}>{chip.label}</span>
            <Icon name="close" size={16} />
          </a>
        </li>
      ))}
      {clears && isOffered && (
        <li className={styles['last']}>
          <ClearFilters />
        </li>
      )}
    </ul>
  );
}

/**
 * Chips come with the answer; one whose values the shopper has taken out
 * meanwhile is gone at once. The others stay while results load (A4-SAVE-15).
 */
export function standingChips(chips: readonly Chip[], criteria: SearchCriteria): readonly Chip[] {
  return chips.filter(({ kind, params, values }) => {
    if (kind === 'sponsorship') return criteria.isSponsorship === true;
    if (kind === 'experience') return criteria.experience !== undefined;
    return params.some((param) => criteria.filters[param]?.some((value) => values.includes(value)));
  });
}

/**
 * The chip that gets the focus when one is removed: the next that stays, else
 * the last before it. A make takes its models' chips with it, so a neighbour
 * may go too. Undefined when none stays.
 */
export function chipAfterRemoval(
  chips: readonly Chip[],
  removed: Chip,
  next: SearchCriteria,
): Chip | undefined {
  const staying = standingChips(chips, next);
  const place = chips.indexOf(removed);
  return staying.find((chip) => chips.indexOf(chip) > place) ?? staying.at(-1);
}
