import { useMemo, useRef, type MouseEvent, type ReactNode } from 'react';
import type { Chip } from '@forecourt/search/catalog';
import type { SearchCriteria } from '@forecourt/search/criteria';
import { usePageState } from '@forecourt/slots';
import { Icon, VisuallyHidden, isPlainClick } from '@forecourt/slots/ui';
import { usePanelData } from '../search/panelData.tsx';
import { searchHref } from '../search/links.ts';
import { useCriteria, useEdit, useDeferredCriteria } from '../search/searchEdits.tsx';
import { useClearFilters, removeChip } from '../search/criteriaChanges.ts';
import styles from './Chips.module.css';
import { focusResults } from '../search/focusResults.ts';

/** Removes all filters except the radius; hidden without other chips. */
function ClearFilters(): ReactNode {
  const criteria = useCriteria();
  const edit = useEdit();
  const linkCriteria = useDeferredCriteria();
  const loadedChips = usePageState(({ search }) => search.chips);
  const { clear, isOffered } = useClearFilters(criteria);
  if (!isOffered || currentChips(loadedChips, criteria).length === 0) return null;
  return (
    <a
      className={styles['clear']}
      href={searchHref(clear(linkCriteria))}
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
 * The selected filters, each a link to the search without it, followed by 'Clear Filters'. Removing a chip
 * moves the focus to the next chip, or to the results after the last one.
 */
export function Chips({ label }: { label: string }): ReactNode {
  const criteria = useCriteria();
  const edit = useEdit();
  const { reference } = usePanelData();
  const linkCriteria = useDeferredCriteria();
  const loadedChips = usePageState(({ search }) => search.chips);
  const chips = currentChips(loadedChips, criteria);
  const { isOffered } = useClearFilters(criteria);
  const list = useRef<HTMLUListElement>(null);
  const hrefs = useMemo(
    () =>
      new Map(loadedChips.map((chip) => [chip.key, searchHref(removeChip(linkCriteria, chip, reference))])),
    [loadedChips, linkCriteria, reference],
  );
  if (chips.length === 0) return null;

  const removalOf = (chip: Chip) => (current: SearchCriteria) => removeChip(current, chip, reference);
  const remove = (chip: Chip) => (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    const next = chipToFocus(chips, chip, removalOf(chip)(criteria));
    if (next === undefined) focusResults();
    else list.current?.querySelectorAll('a')[chips.indexOf(next)]?.focus();
    edit(removalOf(chip), `chip:${chip.key}`);
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
      {isOffered && (
        // Another chip before it makes it a new element instead of one that moves.
        <li key={`clear ${chips.length}`}>
          <ClearFilters />
        </li>
      )}
    </ul>
  );
}

/**
 * The response's chips without those whose values were removed since. The others stay while results load.
 */
export function currentChips(chips: readonly Chip[], criteria: SearchCriteria): readonly Chip[] {
  return chips.filter(({ kind, params, values }) => {
    if (kind === 'sponsorship') return criteria.isSponsorship === true;
    if (kind === 'experience') return criteria.experience !== undefined;
    return params.some((param) => criteria.filters[param]?.some((value) => values.includes(value)));
  });
}

/**
 * The chip to focus when `removed` goes away: the next remaining one, otherwise the last before it. Neighbors may go
 * too: removing a make also removes its models. Undefined when no chip remains.
 */
function chipToFocus(chips: readonly Chip[], removed: Chip, next: SearchCriteria): Chip | undefined {
  const remaining = currentChips(chips, next);
  const index = chips.indexOf(removed);
  return remaining.find((chip) => chips.indexOf(chip) > index) ?? remaining.at(-1);
}
