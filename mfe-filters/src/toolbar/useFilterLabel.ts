import { filterCount } from '@forecourt/shared-contracts/search';
import { usePageState } from '@forecourt/shared-contracts/store';
import { useCriteria } from '../search/searchEdits.tsx';
import { standingChips } from './chipState.ts';

/** 'Filter (3)'; chips without the location are counted, none at all leaves 'Filter' (B2-TOOL-12, B2-TOOL-13, AMB-074). */
export function useFilterLabel(): string {
  const criteria = useCriteria();
  const chips = usePageState(({ search }) => search.chips);
  const count = filterCount(standingChips(chips, criteria));
  return count === 0 ? 'Filter' : `Filter (${count})`;
}
