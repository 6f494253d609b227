import {
  createContext,
  useCallback,
  useContext,
  useDeferredValue,
  useEffect,
  useMemo,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import { ReactReduxContext } from 'react-redux';
import { valuesOf, type FilterParam, type SearchCriteria } from '@forecourt/search/criteria';
import type { RootState } from '@forecourt/search/state';
import { useEmit } from '@forecourt/slots';
import { createLiveEdits, type EditSearch, type EditStore } from './editStore.ts';

/** ms to debounce filter changes; 0 turns debouncing off. */
const FILTER_DEBOUNCE_MS = 0;

const EditsContext = createContext<EditStore | null>(null);
const DeferredCriteriaContext = createContext<SearchCriteria | null>(null);

/** Provides live edits: they are emitted on the bus, and the controls show the store's criteria. */
export function SearchEditsProvider(props: { debounceMs?: number; children: ReactNode }): ReactNode {
  const { debounceMs = FILTER_DEBOUNCE_MS, children } = props;
  const emit = useEmit();
  const page = useContext(ReactReduxContext);
  if (!page) throw new Error('SearchEditsProvider must be used inside a slot');
  const { store, getServerState } = page;
  const edits = useMemo(() => {
    const criteriaOf = (state: unknown) => (state as RootState).search.criteria;
    return createLiveEdits(
      {
        criteria: () => criteriaOf(store.getState()),
        server: () => criteriaOf(getServerState ? getServerState() : store.getState()),
        subscribe: (listener) => store.subscribe(listener),
      },
      {
        request: (criteria, cause) => emit('search.changeRequested', { criteria, cause }),
        expect: (criteria) => emit('search.changeExpected', { criteria }),
        debounceMs,
      },
    );
  }, [store, getServerState, emit, debounceMs]);
  useEffect(() => edits.follow(), [edits]);
  return <EditsProvider edits={edits}>{children}</EditsProvider>;
}

/** Provides criteria and edits to the controls below. */
export function EditsProvider({ edits, children }: { edits: EditStore; children: ReactNode }): ReactNode {
  return (
    <EditsContext value={edits}>
      <DeferredCriteriaProvider>{children}</DeferredCriteriaProvider>
    </EditsContext>
  );
}

/** A separate component, so that a change re-renders only the children that read it. */
function DeferredCriteriaProvider({ children }: { children: ReactNode }): ReactNode {
  const criteria = useDeferredValue(useCriteria());
  return <DeferredCriteriaContext value={criteria}>{children}</DeferredCriteriaContext>;
}

function useEditStore(): EditStore {
  const edits = useContext(EditsContext);
  if (!edits) throw new Error('Search edits must be used inside a SearchEditsProvider');
  return edits;
}

/** Returns a stable function that changes the search. */
export const useEdit = (): EditSearch => useEditStore().edit;

/** Returns a stable function that announces the change of a pressed control. */
export const useExpectEdit = (): EditStore['expect'] => useEditStore().expect;

/** Returns a getter for event handlers, which don't render the criteria. */
export const useLatestCriteria = (): (() => SearchCriteria) => useEditStore().current;

/** The criteria that the controls show. Prefer `useSelectedValues` for a single parameter. */
export function useCriteria(): SearchCriteria {
  const { subscribe, current, server } = useEditStore();
  return useSyncExternalStore(subscribe, current, server);
}

/**
 * Criteria that may lag behind a click by one paint: for links, hidden fields and headings. Don't base edits on them.
 */
export function useDeferredCriteria(): SearchCriteria {
  const criteria = useContext(DeferredCriteriaContext);
  if (!criteria) throw new Error('useDeferredCriteria must be used inside a SearchEditsProvider');
  return criteria;
}

const SEPARATOR = '\u0000';
const textOf = (criteria: SearchCriteria, param: FilterParam | undefined) =>
  param === undefined ? '' : valuesOf(criteria, param).join(SEPARATOR);
const valuesIn = (text: string): readonly string[] => (text === '' ? [] : text.split(SEPARATOR));

/** The selected values of a parameter; the array is stable while they don't change. */
export function useSelectedValues(param: FilterParam | undefined): readonly string[] {
  const { subscribe, current, server } = useEditStore();
  const text = useSyncExternalStore(
    subscribe,
    () => textOf(current(), param),
    () => textOf(server(), param),
  );
  return useMemo(() => valuesIn(text), [text]);
}

/** Like `useSelectedValues`, but may lag behind a click by one paint. */
export function useDeferredSelectedValues(param: FilterParam | undefined): readonly string[] {
  const text = textOf(useDeferredCriteria(), param);
  return useMemo(() => valuesIn(text), [text]);
}

/** True if the value is selected. Re-renders only when that changes, so a click repaints one row. */
export function useIsSelected(param: FilterParam, value: string): boolean {
  const { subscribe, current, server } = useEditStore();
  const includesValue = useCallback(
    (criteria: SearchCriteria) => valuesOf(criteria, param).includes(value),
    [param, value],
  );
  return useSyncExternalStore(
    subscribe,
    () => includesValue(current()),
    () => includesValue(server()),
  );
}
