import { changeFilters, selectCategory, type SearchCriteria } from '@forecourt/shared-contracts/criteria';

/** USD; 'under $20,000'. */
const AFFORDABLE = 20_000;

/** What a prompt of the assistant does: another search, or one of the dialogs. */
export type PromptAction =
  | { readonly kind: 'search'; readonly change: (criteria: SearchCriteria) => SearchCriteria }
  | { readonly kind: 'wallet' }
  | { readonly kind: 'contact' };

export interface AssistantPrompt {
  readonly label: string;
  readonly action: PromptAction;
}

/** The canned prompts (AMB-119). */
export const PROMPTS: readonly AssistantPrompt[] = [
  {
    label: 'Show me the best deals',
    action: { kind: 'search', change: (criteria) => selectCategory(criteria, 'best-deals') },
  },
  {
    label: 'Only electric cars',
    action: {
      kind: 'search',
      change: (criteria) => changeFilters(criteria, { ...criteria.filters, fuelTypeGroup: ['ELE'] }),
    },
  },
  {
    label: 'Cars under $20,000',
    action: {
      kind: 'search',
      change(criteria) {
        const { minPrice, ...others } = criteria.filters;
        // A lower bound above the new upper one would leave nothing.
        const keeps = minPrice?.[0] !== undefined && Number(minPrice[0]) < AFFORDABLE;
        return changeFilters(criteria, {
          ...others,
          ...(keeps && { minPrice }),
          maxPrice: [String(AFFORDABLE)],
        });
      },
    },
  },
  { label: 'Estimate my monthly payment', action: { kind: 'wallet' } },
  { label: 'Contact a dealer nearby', action: { kind: 'contact' } },
];
