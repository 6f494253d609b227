import type { RootState, SearchState } from '@forecourt/shared-contracts/store';

export const selectSearch = (state: RootState): SearchState => state.search;
