import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { Subject, type Observable } from 'rxjs';
import { slotElementId } from '../both/bootData.ts';
import { isReturn, returnTo, watchLeaving, type LeftPlace } from './leftPlace.ts';

/** What a history entry of the page remembers, so that going back repaints controls at once and scrolls back. */
interface Entry {
  readonly criteria: SearchCriteria;
  readonly scrollY: number;
  /** Where the page was left for another document. */
  readonly left?: LeftPlace | undefined;
  /**
   * Number of dialogs for which this entry and those below it were made, 0 for
   * a search's own. More than are open: the entry is spent, and Back passes it.
   */
  readonly held: number;
  /** Place among the entries of this page, so that one step back is known from several. */
  readonly at: number;
}

/** The visitor went back or forward to another search of this document. */
export interface Visit {
  readonly url: string;
  readonly criteria: SearchCriteria;
  readonly scrollY: number;
}

/** After results are painted: stay, show their top (if it is above the screen), or go to a remembered offset in px. */
export type ScrollTarget = 'keep' | 'results' | number;

export interface PageHistory {
  readonly write: (mode: 'push' | 'replace', url: string, criteria: SearchCriteria) => void;
  readonly visits: Observable<Visit>;
  /** The results of the newest request are in the store, or will not come (`keep`). */
  readonly arrive: (target: ScrollTarget) => void;
  /** Back calls `close`, once, until the answer is called. */
  readonly holdBack: (close: () => void) => () => void;
}

/** Browsers refuse more than about 100 history writes in 30 s. */
const SAVE_EVERY_MS = 500;

const currentUrl = () => window.location.pathname + window.location.search;
const readEntry = () => (window.history.state as { forecourt?: Entry } | null)?.forecourt;

/** Focus stays where it is unless its element went away with the old results. */
function keepFocus(): void {
  if (document.activeElement && document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
}

function scrollTo(target: ScrollTarget): void {
  if (typeof target === 'number') return window.scrollTo({ top: target, behavior: 'instant' });
  if (target === 'keep') return;
  const results = document.getElementById(slotElementId('results'));
  if (results && results.getBoundingClientRect().top < 0) results.scrollIntoView({ block: 'start' });
  keepFocus();
}

/**
 * Keeps criteria and scroll offset with each history entry, restores the offset
 * and reports visits. No unload handlers, so that the page stays fit for the
 * back/forward cache.
 */
export function createPageHistory(initialCriteria: SearchCriteria): PageHistory {
  const visits = new Subject<Visit>();
  let shown = { url: currentUrl(), criteria: initialCriteria };
  let timer: ReturnType<typeof setTimeout> | undefined;
  // What Back closes, the newest last, and the `held` of the entry that is on show.
  const holders: (() => void)[] = [];
  let held = readEntry()?.held ?? 0;
  let at = readEntry()?.at ?? 0;
  // While a visit is under way the offset on screen belongs to no entry.
  let isTravelling = false;

  const store = (mode: 'push' | 'replace', url: string | undefined, entry: Omit<Entry, 'at'>) => {
    const place = mode === 'push' ? at + 1 : at;
    const state = { forecourt: { ...entry, at: place } satisfies Entry };
    try {
      window.history[mode === 'push' ? 'pushState' : 'replaceState'](state, '', url);
      at = place;
      held = entry.held;
    } catch {
      // Too many writes: the entry keeps its older offset.
    }
  };
  const forgetTimer = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const save = (left?: LeftPlace) => {
    forgetTimer();
    if (!isTravelling)
      store('replace', undefined, { criteria: shown.criteria, scrollY: window.scrollY, held, left });
  };
  const placeLeft = watchLeaving();
  /** Closes the dialogs that this step leaves. Was that all there is to do? */
  const passesDialog = (entry: Entry | undefined): boolean => {
    const before = { held, at };
    held = entry?.held ?? 0;
    at = entry?.at ?? at;
    if (!entry || held >= before.held) return false;
    const closed = holders.splice(held);
    for (const close of closed.reverse()) close();
    if (at !== before.at - 1) return false;
    // What was searched behind the dialog stays: the entry below it catches up.
    store('replace', shown.url, { criteria: shown.criteria, scrollY: window.scrollY, held });
    // The dialog was closed before: this step should have left the search.
    if (closed.length === 0) window.history.back();
    return true;
  };

  window.addEventListener('scroll', () => (timer ??= setTimeout(() => save(), SAVE_EVERY_MS)), {
    passive: true,
  });
  window.addEventListener('popstate', () => {
    forgetTimer();
    const entry = readEntry();
    if (passesDialog(entry)) return;
    const url = currentUrl();
    if (url === shown.url) {
      // A jump within the page has no entry of ours yet; the browser has scrolled.
      if (entry) window.scrollTo({ top: entry.scrollY, behavior: 'instant' });
      return;
    }
    isTravelling = true;
    shown = { url, criteria: entry?.criteria ?? shown.criteria };
    visits.next({ ...shown, scrollY: entry?.scrollY ?? 0 });
  });
  window.addEventListener('pagehide', () => save(placeLeft()));
  // Back from its cache a page is as it was, but for the focus where the browser gives links none.
  window.addEventListener('pageshow', ({ persisted }) => {
    const left = readEntry()?.left;
    if (persisted && left && document.activeElement === document.body) returnTo(left);
  });
  // The browser would scroll before the results are there. A document that is
  // loaded again (reload, return without the back/forward cache) has them already.
  window.history.scrollRestoration = 'manual';
  const returned = readEntry();
  if (returned && window.scrollY === 0) window.scrollTo({ top: returned.scrollY, behavior: 'instant' });
  if (returned?.left && isReturn()) returnTo(returned.left);

  return {
    visits,
    write(mode, url, criteria) {
      if (mode === 'push') save();
      forgetTimer();
      // The same URL twice in the history would make one step back look like nothing.
      const isNew = mode === 'push' && url !== currentUrl();
      const scrollY = isTravelling ? (readEntry()?.scrollY ?? 0) : window.scrollY;
      if (isNew && held > 0) {
        // A dialog's entry has to stay on top of its search: it becomes the new search's, and the dialog gets another.
        store('replace', url, { criteria, scrollY, held: Math.min(held - 1, holders.length) });
        if (holders.length > held) store('push', url, { criteria, scrollY, held: holders.length });
      } else store(isNew ? 'push' : 'replace', url, { criteria, scrollY, held: isNew ? 0 : held });
      shown = { url: currentUrl(), criteria };
    },
    holdBack(close) {
      holders.push(close);
      // A spent entry is used again.
      if (held < holders.length) {
        save();
        store('push', undefined, { criteria: shown.criteria, scrollY: window.scrollY, held: holders.length });
      }
      return () => {
        const at = holders.indexOf(close);
        if (at !== -1) holders.splice(at, 1);
      };
    },
    arrive(target) {
      requestAnimationFrame(() => {
        scrollTo(target);
        isTravelling = false;
      });
    },
  };
}
