import { type Chip, chipsOf, createLabels } from '@forecourt/shared-contracts/catalog';
import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { buildFilters } from './buildFilters.ts';

/** The chips that the shell makes of a search. */
export const buildChips = (criteria: SearchCriteria): readonly Chip[] =>
  chipsOf(criteria, { labelOf: createLabels({ filters: buildFilters() }), ownerName: 'Ace Ford' });
