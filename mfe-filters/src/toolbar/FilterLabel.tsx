import type { ReactNode } from 'react';
import { filterCount } from '@forecourt/shared-contracts/catalog';
import { usePageState } from '@forecourt/shared-contracts/store';
import { Icon } from '@forecourt/shared-contracts/ui';
import { useCriteria } from '../search/searchEdits.tsx';
import { standingChips } from './chipState.ts';

/** 'Filter (3)'; chips without the location are counted, none at all leaves 'Filter' (B2-TOOL-12, B2-TOOL-13, AMB-074). */
export function FilterLabel(): ReactNode {
  const criteria = useCriteria();
  const chips = usePageState(({ search }) => search.chips);
  const count = filterCount(standingChips(chips, criteria));
  return (
    <>
      <Icon name="filter" />
      {count === 0 ? 'Filter' : `Filter (${count})`}
    </>
  );
}
