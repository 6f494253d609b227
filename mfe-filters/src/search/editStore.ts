import type { SearchCriteria } from '@forecourt/search/criteria';

/** Applies `edit` to the current criteria; `cause` names the control, e.g. 'filter:makeCode'. */
export type EditSearch = (edit: (criteria: SearchCriteria) => SearchCriteria, cause: string) => void;

/** Criteria that controls show and change. */
export interface EditStore {
  /** Criteria that the controls show, including edits not searched for yet. */
  readonly current: () => SearchCriteria;
  /** Criteria of the server-rendered HTML. */
  readonly server: () => SearchCriteria;
  readonly subscribe: (listener: () => void) => () => void;
  readonly edit: EditSearch;
  /** Announces the edit that `run` makes, without making it: its control is pressed. */
  readonly expect: (run: () => void) => void;
}

interface PageStore {
  readonly criteria: () => SearchCriteria;
  readonly server: () => SearchCriteria;
  readonly subscribe: (listener: () => void) => () => void;
}

interface LiveEdits extends EditStore {
  /** Discards edits not searched for yet. */
  readonly drop: () => void;
}

/** Upper bound in ms: a hidden tab paints no frames. */
const MAX_PAINT_DELAY_MS = 100;

/** Calls `run` after the browser's next paint. Returns a function that cancels it. */
function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    cancelAnimationFrame(frame);
    clearTimeout(fallback);
    clearTimeout(timer);
  };
  const once = () => {
    stop();
    run();
  };
  // Frame callbacks run before the paint, a timer that they start runs after it.
  const frame = requestAnimationFrame(() => (timer = setTimeout(once)));
  const fallback = setTimeout(once, MAX_PAINT_DELAY_MS);
  return stop;
}

function afterDelay(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

/**
 * Listeners that also receive changed page criteria; subscribes to the page store only while there are any.
 */
function createListeners(page: PageStore) {
  const listeners = new Set<() => void>();
  const notify = () => listeners.forEach((listener) => listener());
  let unsubscribePage = () => {};
  const subscribePage = () => {
    let previous = page.criteria();
    unsubscribePage = page.subscribe(() => {
      if (page.criteria() === previous) return;
      previous = page.criteria();
      notify();
    });
  };
  return {
    notify,
    subscribe: (listener: () => void) => {
      if (listeners.size === 0) subscribePage();
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) unsubscribePage();
      };
    },
  };
}

/**
 * Edits that become searches. Each edit starts from the latest criteria, so quick clicks add up. The clicked control is
 * painted before the search starts; with a debounce, several edits make one search.
 */
export function createLiveEdits(
  page: PageStore,
  emit: (criteria: SearchCriteria, cause: string) => void,
  {
    debounceMs,
    onExpected,
  }: { readonly debounceMs: number; readonly onExpected: (criteria: SearchCriteria) => void },
): LiveEdits {
  const { notify, subscribe } = createListeners(page);
  let pending: { readonly criteria: SearchCriteria; readonly cause: string } | undefined;
  let cancel = () => {};
  /** After a search, `current` keeps returning the edited object instead of the store's equal copy: saves a repaint. */
  let isExpecting = false;
  let lastSearch: { readonly page: SearchCriteria; readonly edited: SearchCriteria } | undefined;
  const send = () => {
    if (!pending) return;
    const { criteria, cause } = pending;
    cancel();
    emit(criteria, cause);
    lastSearch = { page: page.criteria(), edited: criteria };
    pending = undefined;
    notify();
  };
  const current = () => {
    if (pending) return pending.criteria;
    const criteria = page.criteria();
    return criteria === lastSearch?.page ? lastSearch.edited : criteria;
  };
  return {
    current,
    server: page.server,
    subscribe,
    expect(run) {
      isExpecting = true;
      try {
        run();
      } finally {
        isExpecting = false;
      }
    },
    edit(change, cause) {
      if (isExpecting) return onExpected(change(current()));
      // Without a debounce, every change is a separate search.
      if (debounceMs <= 0) send();
      pending = { criteria: change(current()), cause };
      notify();
      cancel();
      cancel = debounceMs <= 0 ? afterPaint(send) : afterDelay(send, debounceMs);
    },
    drop() {
      cancel();
      pending = undefined;
    },
  };
}

/** A local draft: the shopper applies all edits at once. */
export function createDraft(start: SearchCriteria): EditStore {
  let criteria = start;
  const listeners = new Set<() => void>();
  return {
    current: () => criteria,
    expect: () => {},
    server: () => start,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    edit(change) {
      criteria = change(criteria);
      listeners.forEach((listener) => listener());
    },
  };
}
