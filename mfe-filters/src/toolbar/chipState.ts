import type { Chip } from '@forecourt/shared-contracts/catalog';
import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';

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
