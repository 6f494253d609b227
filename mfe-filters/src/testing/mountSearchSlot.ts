import { resolveFlags, BRANDS } from '@forecourt/search/brands';
import { DEFAULT_PATH, type SearchCriteria } from '@forecourt/search/criteria';
import { type SearchState, searchStarted, type SessionState } from '@forecourt/search/state';
import { buildState, mountInTestShell } from '@forecourt/search/testing';
import type { SlotModule } from '@forecourt/slots';
import { buildFilters } from './builders.ts';

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
 * Mounts a slot with a shell that applies changed criteria immediately, like the real one. Tests paint nothing, so an
 * animation frame runs synchronously.
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
    /** All requested searches so far. */
    searches: (): readonly SearchCriteria[] => searches,
    /** The store's filters. */
    filters: () => shell.store.getState().search.criteria.filters,
  };
}

/** The fields that a form would submit, in order. */
export function formFields(form: HTMLFormElement): [name: string, value: string][] {
  return [...form.elements].flatMap((control): [string, string][] => {
    if (!(control instanceof HTMLInputElement || control instanceof HTMLSelectElement)) return [];
    const isUnchecked =
      control instanceof HTMLInputElement && /checkbox|radio/.test(control.type) && !control.checked;
    return isUnchecked || !control.name || control.matches(':disabled')
      ? []
      : [[control.name, control.value]];
  });
}
