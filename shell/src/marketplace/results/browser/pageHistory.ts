import type { SearchCriteria } from '@forecourt/search/criteria';
import { Subject } from 'rxjs';
import { slotElementId } from '../../../engine/universal/slotElements.ts';
import { type LeftPlace, holdPlace, returnTo, watchLeaving } from './leftPlace.ts';

/** Whether this document was loaded by Back or Forward. */
const isReturn = (): boolean =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => (entry as PerformanceNavigationTiming).type === 'back_forward');

/** State of a history entry: lets Back repaint controls at once and restore the scroll offset. */
interface Entry {
  readonly criteria: SearchCriteria;
  readonly scrollY: number;
  /** Where the page was left for another document. */
  readonly leftPlace?: LeftPlace | undefined;
  /**
   * Number of dialogs that had an entry when this one was written, 0 for a
   * search's own entry. If fewer are open now, Back skips the entry.
   */
  readonly dialogs: number;
  /** Index among the entries of this page; tells one step back from several. */
  readonly index: number;
}

/** Back or Forward led to another search of this document. */
export interface Visit {
  readonly url: string;
  readonly criteria: SearchCriteria;
  readonly scrollY: number;
}

/** Where to scroll after results are painted: nowhere, to their top (if it is above the viewport), or to an offset in px. */
export type ScrollTarget = 'keep' | 'results' | number;

/** Browsers refuse more than about 100 history writes in 30 s. */
const SAVE_EVERY_MS = 500;

const currentUrl = () => window.location.pathname + window.location.search;
const readEntry = () => (window.history.state as { forecourt?: Entry } | null)?.forecourt;

/** Moves the focus to the heading if the focused element disappeared with the old results. */
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

/** After the back/forward cache, which keeps everything but the focus, and in WebKit the offset. */
function showWhereLeft(): void {
  const entry = readEntry();
  if (entry?.leftPlace && document.activeElement === document.body) returnTo(entry.leftPlace);
  else if (entry) window.scrollTo({ top: entry.scrollY, behavior: 'instant' });
}

/**
 * Stores criteria and scroll offset with each history entry, restores the offset
 * and reports visits. Without unload handlers, which would exclude the page from
 * the back/forward cache.
 */
export class PageHistory {
  readonly visits: Subject<Visit> = new Subject();
  #shown: { readonly url: string; readonly criteria: SearchCriteria };
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Closes each dialog that Back closes, newest last. */
  readonly #closers: (() => void)[] = [];
  /** `dialogs` and `index` of the current entry. */
  #dialogs = readEntry()?.dialogs ?? 0;
  #index = readEntry()?.index ?? 0;
  /** During a visit the scroll offset belongs to no entry. */
  #isTravelling = false;

  constructor(initialCriteria: SearchCriteria) {
    this.#shown = { url: currentUrl(), criteria: initialCriteria };
    this.#listen();
    this.#restore();
  }

  readonly write = (mode: 'push' | 'replace', url: string, criteria: SearchCriteria): void => {
    if (mode === 'push') this.#save();
    this.#clearTimer();
    const dialogs = this.#dialogs;
    const openDialogs = this.#closers.length;
    // Two entries with one URL would make a step back look like a no-op.
    const isNew = mode === 'push' && url !== currentUrl();
    const scrollY = this.#isTravelling ? (readEntry()?.scrollY ?? 0) : window.scrollY;
    if (isNew && dialogs > 0) {
      // A dialog's entry must stay above its search: it becomes the new search's, and the dialog gets a new one.
      this.#store('replace', url, { criteria, scrollY, dialogs: Math.min(dialogs - 1, openDialogs) });
      if (openDialogs > this.#dialogs) this.#store('push', url, { criteria, scrollY, dialogs: openDialogs });
    } else this.#store(isNew ? 'push' : 'replace', url, { criteria, scrollY, dialogs: isNew ? 0 : dialogs });
    this.#shown = { url: currentUrl(), criteria };
  };

  /** Back calls `close` once, until the returned function is called. */
  readonly interceptBack = (close: () => void): (() => void) => {
    const closers = this.#closers;
    closers.push(close);
    // Otherwise the entry of a closed dialog is reused.
    if (this.#dialogs < closers.length) {
      this.#save();
      this.#store('push', undefined, this.#shownEntry(closers.length));
    }
    return () => {
      const index = closers.indexOf(close);
      if (index !== -1) closers.splice(index, 1);
    };
  };

  /** Called when the results of the newest request are in the store, or have failed (`keep`). */
  readonly arrive = (target: ScrollTarget): void => {
    requestAnimationFrame(() => {
      scrollTo(target);
      this.#isTravelling = false;
    });
  };

  #listen(): void {
    const leftPlace = watchLeaving();
    window.addEventListener('scroll', () => (this.#timer ??= setTimeout(() => this.#save(), SAVE_EVERY_MS)), {
      passive: true,
    });
    window.addEventListener('popstate', () => this.#travel());
    window.addEventListener('pagehide', () => this.#save(leftPlace()));
    window.addEventListener('pageshow', ({ persisted }) => {
      if (!persisted) return;
      showWhereLeft();
      // WebKit sets the offset of a page from its cache to 0, at times after this event.
      requestAnimationFrame(() => setTimeout(showWhereLeft));
    });
  }

  /**
   * Browsers would scroll before the results are there. A reloaded document has
   * its results already.
   */
  #restore(): void {
    window.history.scrollRestoration = 'manual';
    const entry = readEntry();
    if (entry && window.scrollY === 0) window.scrollTo({ top: entry.scrollY, behavior: 'instant' });
    if (entry?.leftPlace && isReturn()) holdPlace(entry.leftPlace);
  }

  /** The entry of the shown search. */
  #shownEntry(dialogs: number): Omit<Entry, 'index'> {
    return { criteria: this.#shown.criteria, scrollY: window.scrollY, dialogs };
  }

  #store(mode: 'push' | 'replace', url: string | undefined, entry: Omit<Entry, 'index'>): void {
    const index = mode === 'push' ? this.#index + 1 : this.#index;
    const state = { forecourt: { ...entry, index } satisfies Entry };
    try {
      window.history[mode === 'push' ? 'pushState' : 'replaceState'](state, '', url);
      this.#index = index;
      this.#dialogs = entry.dialogs;
    } catch {
      // Too many writes: the entry keeps its older offset.
    }
  }

  #clearTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #save(leftPlace?: LeftPlace): void {
    this.#clearTimer();
    if (!this.#isTravelling)
      this.#store('replace', undefined, { ...this.#shownEntry(this.#dialogs), leftPlace });
  }

  /** Handles Back and Forward. */
  #travel(): void {
    this.#clearTimer();
    const entry = readEntry();
    if (this.#closeDialogs(entry)) return;
    const url = currentUrl();
    if (url === this.#shown.url) {
      // A jump within the page has no entry of ours yet; the browser has scrolled.
      if (entry) window.scrollTo({ top: entry.scrollY, behavior: 'instant' });
      return;
    }
    this.#isTravelling = true;
    this.#shown = { url, criteria: entry?.criteria ?? this.#shown.criteria };
    this.visits.next({ ...this.#shown, scrollY: entry?.scrollY ?? 0 });
  }

  /** Closes the dialogs that this step leaves; true if nothing else is to be done. */
  #closeDialogs(entry: Entry | undefined): boolean {
    const before = { dialogs: this.#dialogs, index: this.#index };
    this.#dialogs = entry?.dialogs ?? 0;
    this.#index = entry?.index ?? before.index;
    if (!entry || this.#dialogs >= before.dialogs) return false;
    const closed = this.#closers.splice(this.#dialogs);
    for (const close of closed.reverse()) close();
    if (this.#index !== before.index - 1) return false;
    // The search may have changed behind the dialog: the entry below it is updated.
    this.#store('replace', this.#shown.url, this.#shownEntry(this.#dialogs));
    // The dialog was already closed: this step was meant to leave the search.
    if (closed.length === 0) window.history.back();
    return true;
  }
}
