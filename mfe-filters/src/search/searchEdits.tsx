import {
  createContext,
  useCallback,
  useContext,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { useStore } from 'react-redux';
import { FILTER_DEBOUNCE_MS } from '@forecourt/shared-contracts/rules';
import { valuesOf, type FilterParam, type SearchCriteria } from '@forecourt/shared-contracts/search';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { selectCriteria, usePageState, type RootState } from '@forecourt/shared-contracts/store';

/** From the newest criteria to the wanted ones; `cause` names the control, e.g. 'filter:makeCode'. */
export type EditSearch = (edit: (criteria: SearchCriteria) => SearchCriteria, cause: string) => void;

interface SearchEdits {
  /** What the controls show: the store's criteria, or those which wait for the debounce. */
  readonly criteria: SearchCriteria;
  readonly edit: EditSearch;
}

const SearchEditsContext = createContext<SearchEdits | null>(null);
const LaterEditsContext = createContext<SearchEdits | null>(null);

/**
 * Edits build on the criteria as they are when the shopper acts, so several
 * quick clicks add up. With a debounce they are collected and sent as one
 * search, while the controls show them at once (B4-PANEL-08, AMB-083).
 */
export function SearchEditsProvider(props: { debounceMs?: number; children: ReactNode }): ReactNode {
  const { debounceMs = FILTER_DEBOUNCE_MS, children } = props;
  const emit = useEmit();
  const store = useStore<RootState>();
  const stored = usePageState(selectCriteria);
  const [waiting, setWaiting] = useState<SearchCriteria | null>(null);
  const newest = useRef<SearchCriteria | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const edit = useCallback<EditSearch>(
    (change, cause) => {
      const criteria = change(newest.current ?? store.getState().search.criteria);
      if (debounceMs <= 0) {
        emit('search.changeRequested', { criteria, cause });
        return;
      }
      newest.current = criteria;
      setWaiting(criteria);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        newest.current = null;
        setWaiting(null);
        emit('search.changeRequested', { criteria, cause });
      }, debounceMs);
    },
    [debounceMs, emit, store],
  );
  const value = useMemo(() => ({ criteria: waiting ?? stored, edit }), [waiting, stored, edit]);
  const later = useDeferredValue(value);
  return (
    <SearchEditsContext value={value}>
      <LaterEditsContext value={later}>{children}</LaterEditsContext>
    </SearchEditsContext>
  );
}

/** Criteria and edits of the slot; throws outside of its provider. */
export function useSearchEdits(): SearchEdits {
  const edits = useContext(SearchEditsContext);
  if (!edits) throw new Error('useSearchEdits is only for components inside a SearchEditsProvider');
  return edits;
}

/**
 * The same for what may follow right after a click's paint: links to edited
 * searches and whatever else shows no choice. Edits always build on the newest.
 */
export function useLaterEdits(): SearchEdits {
  const edits = useContext(LaterEditsContext);
  if (!edits) throw new Error('useLaterEdits is only for components inside a SearchEditsProvider');
  return edits;
}

const SEPARATOR = '\u0000';

/** The chosen values of a parameter: the same array until they change, whatever else of the criteria does. */
export function useChosen(param: FilterParam | undefined): readonly string[] {
  const { criteria } = useSearchEdits();
  const text = param === undefined ? '' : valuesOf(criteria, param).join(SEPARATOR);
  return useMemo(() => (text === '' ? [] : text.split(SEPARATOR)), [text]);
}
