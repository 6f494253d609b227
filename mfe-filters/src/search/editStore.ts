import type { SearchCriteria } from '@forecourt/search/criteria';
import { afterPaint } from '@forecourt/slots';

/** What a control does to the criteria. */
export type Change = (criteria: SearchCriteria) => SearchCriteria;

/** Changes the current criteria; `cause` names the control, e.g. 'filter:makeCode'. */
export type EditSearch = (change: Change, cause: string) => void;

/** Criteria that controls show and change. */
export interface EditStore {
  /** Criteria that the controls show: those of the page, or of the edit that is not requested yet. */
  readonly current: () => SearchCriteria;
  /** Criteria of the server-rendered HTML. */
  readonly server: () => SearchCriteria;
  readonly subscribe: (listener: () => void) => () => void;
  readonly edit: EditSearch;
  /** A control is pressed whose click will make this change. */
  readonly expect: (change: Change) => void;
}

interface PageStore {
  readonly criteria: () => SearchCriteria;
  readonly server: () => SearchCriteria;
  readonly subscribe: (listener: () => void) => () => void;
}

interface Requests {
  /** Makes these the page's criteria. */
  readonly request: (criteria: SearchCriteria, cause: string) => void;
  /** Says that they are likely to be requested. */
  readonly expect: (criteria: SearchCriteria) => void;
}

interface LiveEdits extends EditStore {
  /** Follows the page until the returned function is called, which also drops an edit that is not requested yet. */
  readonly follow: () => () => void;
}

function afterDelay(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

const isEqual = (left: SearchCriteria, right: SearchCriteria): boolean =>
  (Object.keys({ ...left, ...right }) as (keyof SearchCriteria)[]).every(
    (key) => JSON.stringify(left[key]) === JSON.stringify(right[key]),
  );

/** Reads criteria; equal ones are the same object, because each new object repaints the panel. */
function keepEqual(read: () => SearchCriteria): () => SearchCriteria {
  let last = read();
  let current = last;
  return () => {
    const next = read();
    if (next === last) return current;
    last = next;
    if (!isEqual(current, next)) current = next;
    return current;
  };
}

/** Listeners that are called when what `current` returns has changed. */
function createListeners(current: () => SearchCriteria) {
  const listeners = new Set<() => void>();
  let known = current();
  return {
    notify: () => {
      if (current() === known) return;
      known = current();
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/**
 * Edits that become searches. The page's store holds the criteria; on top of it is at most the one edit that is not
 * requested yet, so that its control is painted first. Each edit starts from what the controls show, so quick clicks add up;
 * with a debounce, they make one search.
 */
export function createLiveEdits(
  page: PageStore,
  { request, expect, debounceMs }: Requests & { readonly debounceMs: number },
): LiveEdits {
  let unrequested: { readonly criteria: SearchCriteria; readonly cause: string } | undefined;
  let cancel = () => {};
  const current = keepEqual(() => unrequested?.criteria ?? page.criteria());
  const { notify, subscribe } = createListeners(current);
  const drop = () => {
    cancel();
    unrequested = undefined;
  };
  const send = () => {
    if (!unrequested) return;
    request(unrequested.criteria, unrequested.cause);
    drop();
    notify();
  };
  return {
    current,
    server: page.server,
    subscribe,
    edit(change, cause) {
      // Without a debounce, every change is a separate search.
      if (debounceMs <= 0) send();
      unrequested = { criteria: change(current()), cause };
      notify();
      cancel();
      cancel = debounceMs <= 0 ? afterPaint(send) : afterDelay(send, debounceMs);
    },
    expect: (change) => expect(change(current())),
    follow() {
      const unsubscribe = page.subscribe(notify);
      return () => {
        unsubscribe();
        drop();
      };
    },
  };
}

/** A local draft: the shopper applies all edits at once. */
export function createDraft(start: SearchCriteria): EditStore {
  let criteria = start;
  const current = () => criteria;
  const { notify, subscribe } = createListeners(current);
  return {
    current,
    server: () => start,
    subscribe,
    edit(change) {
      criteria = change(criteria);
      notify();
    },
    expect: () => {},
  };
}
