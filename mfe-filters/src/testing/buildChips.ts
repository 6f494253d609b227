import { type Chip, chipsOf, createLabels, type SearchCriteria } from '@forecourt/shared-contracts/search';
import { buildFilters } from './buildFilters.ts';

/** The chips that the shell makes of a search. */
export const buildChips = (criteria: SearchCriteria): readonly Chip[] =>
  chipsOf(criteria, { labelOf: createLabels({ filters: buildFilters() }), ownerName: 'Ace Ford' });
