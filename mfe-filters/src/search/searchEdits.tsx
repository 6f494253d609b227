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
import { valuesOf, type FilterParam, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { useEmit } from '@forecourt/shared-contracts/slots';
import type { RootState } from '@forecourt/shared-contracts/store';
import { createLiveEdits, type EditSearch, type EditStore } from './editStore.ts';
import { FILTER_DEBOUNCE_MS } from '../constants.ts';

const EditsContext = createContext<EditStore | null>(null);
const LaterCriteriaContext = createContext<SearchCriteria | null>(null);

/** Edits that search: they go to the bus, and what the page's store says is shown. */
export function SearchEditsProvider(props: { debounceMs?: number; children: ReactNode }): ReactNode {
  const { debounceMs = FILTER_DEBOUNCE_MS, children } = props;
  const emit = useEmit();
  const page = useContext(ReactReduxContext);
  if (!page) throw new Error('SearchEditsProvider is only for components inside a slot');
  const { store, getServerState } = page;
  const edits = useMemo(() => {
    const criteriaOf = (state: unknown) => (state as RootState).search.criteria;
    return createLiveEdits(
      {
        criteria: () => criteriaOf(store.getState()),
        server: () => criteriaOf(getServerState ? getServerState() : store.getState()),
        subscribe: (listener) => store.subscribe(listener),
      },
      (criteria, cause) => emit('search.changeRequested', { criteria, cause }),
      debounceMs,
    );
  }, [store, getServerState, emit, debounceMs]);
  useEffect(() => edits.drop, [edits]);
  return <EditsProvider edits={edits}>{children}</EditsProvider>;
}

/** Gives the controls below their criteria and edits. */
export function EditsProvider({ edits, children }: { edits: EditStore; children: ReactNode }): ReactNode {
  return (
    <EditsContext value={edits}>
      <LaterCriteriaProvider>{children}</LaterCriteriaProvider>
    </EditsContext>
  );
}

/** A component of its own: children that nothing changed for are not rendered again. */
function LaterCriteriaProvider({ children }: { children: ReactNode }): ReactNode {
  const criteria = useDeferredValue(useCriteria());
  return <LaterCriteriaContext value={criteria}>{children}</LaterCriteriaContext>;
}

function useEditStore(): EditStore {
  const edits = useContext(EditsContext);
  if (!edits) throw new Error('edits are only for components inside a SearchEditsProvider');
  return edits;
}

/** Changes the search; always the same function. */
export const useEdit = (): EditSearch => useEditStore().edit;

/** Answers the newest criteria, for those who want them at a moment rather than to show them. */
export const useNewestCriteria = (): (() => SearchCriteria) => useEditStore().current;

/** The criteria as the controls show them. What shows one parameter alone uses `useChosen`. */
export function useCriteria(): SearchCriteria {
  const { subscribe, current, server } = useEditStore();
  return useSyncExternalStore(subscribe, current, server);
}

/**
 * The same for what may follow right after a click's paint: links to edited
 * searches and whatever else shows no choice. Edits always build on the newest.
 */
export function useLaterCriteria(): SearchCriteria {
  const criteria = useContext(LaterCriteriaContext);
  if (!criteria) throw new Error('criteria are only for components inside a SearchEditsProvider');
  return criteria;
}

const SEPARATOR = '\u0000';
const textOf = (criteria: SearchCriteria, param: FilterParam | undefined) =>
  param === undefined ? '' : valuesOf(criteria, param).join(SEPARATOR);
const valuesIn = (text: string): readonly string[] => (text === '' ? [] : text.split(SEPARATOR));

/** The chosen values of a parameter: the same array until they change, whatever else of the criteria does. */
export function useChosen(param: FilterParam | undefined): readonly string[] {
  const { subscribe, current, server } = useEditStore();
  const text = useSyncExternalStore(
    subscribe,
    () => textOf(current(), param),
    () => textOf(server(), param),
  );
  return useMemo(() => valuesIn(text), [text]);
}

/** The same, after the paint of the click that changed them. */
export function useLaterChosen(param: FilterParam | undefined): readonly string[] {
  const text = textOf(useLaterCriteria(), param);
  return useMemo(() => valuesIn(text), [text]);
}

/** Is this value of a parameter chosen? Of all choices a click repaints only those whose answer changes. */
export function useIsChosen(param: FilterParam, value: string): boolean {
  const { subscribe, current, server } = useEditStore();
  const isIn = useCallback(
    (criteria: SearchCriteria) => valuesOf(criteria, param).includes(value),
    [param, value],
  );
  return useSyncExternalStore(
    subscribe,
    () => isIn(current()),
    () => isIn(server()),
  );
}
