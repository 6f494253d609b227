import { DEFAULT_PATH, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import type { SlotModule } from '@forecourt/shared-contracts/slots';
import { type SearchState, searchStarted, type SessionState } from '@forecourt/shared-contracts/store';
import { buildState, mountInTestShell } from '@forecourt/shared-contracts/testing';
import { resolveFlags, BRANDS } from '@forecourt/shared-contracts/brands';
import { buildFilters } from './buildFilters.ts';

const EMPTY: SearchCriteria = {
  filters: {},
  sortBy: 'relevance',
  firstRecord: 0,
  numRecords: 30,
  unknown: [],
};

/** Criteria of a first page, with the given parts. */
export const buildCriteria = (parts: Partial<SearchCriteria> = {}): SearchCriteria => ({
  ...EMPTY,
  ...parts,
});

interface SearchSlotOptions {
  readonly criteria?: Partial<SearchCriteria>;
  readonly search?: Partial<SearchState>;
  readonly session?: Partial<SessionState>;
  readonly data?: unknown;
  readonly calls?: NonNullable<Parameters<typeof mountInTestShell>[1]>['calls'];
}

/** The page's state for a slot of this remote. */
export const searchState = ({ criteria, search, session }: SearchSlotOptions) =>
  buildState(
    { criteria: buildCriteria(criteria), filters: buildFilters(), totalResultCount: 41_500, ...search },
    { flags: resolveFlags(BRANDS.atc), ...session },
  );

/**
 * Mounts a slot with a shell that, as the real one, takes over changed criteria
 * at once. Nothing is painted in a test, so a frame is over when it begins.
 */
export function mountSearchSlot(module: SlotModule, options: SearchSlotOptions = {}) {
  window.requestAnimationFrame = (run) => {
    run(0);
    return 0;
  };
  const shell = mountInTestShell(module, {
    state: searchState(options),
    data: options.data,
    calls: options.calls ?? {},
  });
  const searches: SearchCriteria[] = [];
  shell.bus.on('search.changeRequested').subscribe(({ criteria }) => {
    searches.push(criteria);
    shell.store.dispatch(searchStarted({ requestId: `r${searches.length}`, criteria, url: DEFAULT_PATH }));
  });
  return {
    ...shell,
    /** The searches asked for so far. */
    searches: (): readonly SearchCriteria[] => searches,
    /** Filters of the store. */
    filters: () => shell.store.getState().search.criteria.filters,
  };
}
