import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
/** From the newest criteria to the wanted ones; `cause` names the control, e.g. 'filter:makeCode'. */
export type EditSearch = (edit: (criteria: SearchCriteria) => SearchCriteria, cause: string) => void;

/** Criteria that controls show and change. Each control subscribes to what it shows alone. */
export interface EditStore {
  /** What the controls show: the page's criteria, or those which are not asked for yet. */
  readonly current: () => SearchCriteria;
  /** Criteria which the server's HTML shows. */
  readonly server: () => SearchCriteria;
  readonly subscribe: (listener: () => void) => () => void;
  readonly edit: EditSearch;
}

interface PageStore {
  readonly criteria: () => SearchCriteria;
  readonly server: () => SearchCriteria;
  readonly subscribe: (listener: () => void) => () => void;
}

export interface LiveEdits extends EditStore {
  /** Forgets what is not asked for yet. */
  readonly drop: () => void;
}

/**
 * Edits that become searches. They build on the criteria as they are when the
 * shopper acts, so quick clicks add up. The clicked control is painted first,
 * the search begins right after; with a debounce several edits make one search
 * (B4-PANEL-08, AMB-083).
 */
export function createLiveEdits(
  page: PageStore,
  emit: (criteria: SearchCriteria, cause: string) => void,
  debounceMs: number,
): LiveEdits {
  let waiting: { readonly criteria: SearchCriteria; readonly cause: string } | undefined;
  let cancel = () => {};
  /** The page's criteria that came from an edit are the edit's: one object, one repaint. */
  let taken: { readonly page: SearchCriteria; readonly edited: SearchCriteria } | undefined;
  const listeners = new Set<() => void>();
  const notify = () => listeners.forEach((listener) => listener());
  const send = () => {
    if (!waiting) return;
    const { criteria, cause } = waiting;
    cancel();
    emit(criteria, cause);
    taken = { page: page.criteria(), edited: criteria };
    waiting = undefined;
    notify();
  };
  const current = () => {
    if (waiting) return waiting.criteria;
    const criteria = page.criteria();
    return criteria === taken?.page ? taken.edited : criteria;
  };
  let leavePage = () => {};
  return {
    current,
    server: page.server,
    subscribe(listener) {
      if (listeners.size === 0) {
        let seen = page.criteria();
        leavePage = page.subscribe(() => {
          if (page.criteria() === seen) return;
          seen = page.criteria();
          notify();
        });
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) leavePage();
      };
    },
    edit(change, cause) {
      // Without a debounce each change is a search of its own.
      if (debounceMs <= 0) send();
      waiting = { criteria: change(current()), cause };
      notify();
      cancel();
      if (debounceMs <= 0) cancel = afterPaint(send);
      else {
        const timer = setTimeout(send, debounceMs);
        cancel = () => clearTimeout(timer);
      }
    },
    drop() {
      cancel();
      waiting = undefined;
    },
  };
}

/** Edits that are kept until the shopper applies them all at once. */
export function createDraft(start: SearchCriteria): EditStore {
  let criteria = start;
  const listeners = new Set<() => void>();
  return {
    current: () => criteria,
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

/** ms; nothing is painted in a page that nobody sees. */
const AT_LATEST = 100;

/** Runs once the browser has painted what it has been told so far; the answer calls it off. */
export function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    cancelAnimationFrame(frame);
    clearTimeout(latest);
    clearTimeout(timer);
  };
  const once = () => {
    stop();
    run();
  };
  // A frame's callbacks run before its paint, a timer set by them after it.
  const frame = requestAnimationFrame(() => (timer = setTimeout(once)));
  const latest = setTimeout(once, AT_LATEST);
  return stop;
}
