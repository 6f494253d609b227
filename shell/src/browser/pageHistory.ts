import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { Subject, type Observable } from 'rxjs';
import { slotElementId } from '../both/bootData.ts';
import { isReturn, returnTo, watchLeaving, type LeftPlace } from './leftPlace.ts';

/** State of a history entry: lets Back repaint controls at once and restore the scroll offset. */
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
  /** Back calls `close` once, until the returned function is called. */
  readonly interceptBack: (close: () => void) => () => void;
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
class EntryHistory implements PageHistory {
  readonly visits = new Subject<Visit>();
  #shown: { readonly url: string; readonly criteria: SearchCriteria };
  #timer: ReturnType<typeof setTimeout> | undefined;
  // What Back closes, newest last, and the `held` of the current entry.
  readonly #holders: (() => void)[] = [];
  #held = readEntry()?.held ?? 0;
  #at = readEntry()?.at ?? 0;
  // During a visit the scroll offset belongs to no entry.
  #isTravelling = false;

  constructor(initialCriteria: SearchCriteria) {
    this.#shown = { url: currentUrl(), criteria: initialCriteria };
    this.#listen();
    this.#restore();
  }

  readonly write: PageHistory['write'] = (mode, url, criteria) => {
    if (mode === 'push') this.#save();
    this.#forgetTimer();
    const held = this.#held;
    const holderCount = this.#holders.length;
    // The same URL twice in the history would make one step back look like nothing.
    const isNew = mode === 'push' && url !== currentUrl();
    const scrollY = this.#isTravelling ? (readEntry()?.scrollY ?? 0) : window.scrollY;
    if (isNew && held > 0) {
      // A dialog's entry has to stay on top of its search: it becomes the new search's, and the dialog gets another.
      this.#store('replace', url, { criteria, scrollY, held: Math.min(held - 1, holderCount) });
      if (holderCount > this.#held) this.#store('push', url, { criteria, scrollY, held: holderCount });
    } else this.#store(isNew ? 'push' : 'replace', url, { criteria, scrollY, held: isNew ? 0 : held });
    this.#shown = { url: currentUrl(), criteria };
  };

  readonly interceptBack: PageHistory['interceptBack'] = (close) => {
    const holders = this.#holders;
    holders.push(close);
    // A spent entry is used again.
    if (this.#held < holders.length) {
      this.#save();
      this.#store('push', undefined, this.#shownEntry(holders.length));
    }
    return () => {
      const at = holders.indexOf(close);
      if (at !== -1) holders.splice(at, 1);
    };
  };

  readonly arrive: PageHistory['arrive'] = (target) => {
    requestAnimationFrame(() => {
      scrollTo(target);
      this.#isTravelling = false;
    });
  };

  #listen(): void {
    const placeLeft = watchLeaving();
    window.addEventListener('scroll', () => (this.#timer ??= setTimeout(() => this.#save(), SAVE_EVERY_MS)), {
      passive: true,
    });
    window.addEventListener('popstate', () => this.#travel());
    window.addEventListener('pagehide', () => this.#save(placeLeft()));
    // Back from its cache a page is as it was, but for the focus where the browser gives links none.
    window.addEventListener('pageshow', ({ persisted }) => {
      const left = readEntry()?.left;
      if (persisted && left && document.activeElement === document.body) returnTo(left);
    });
  }

  /**
   * The browser would scroll before the results are there. A document that is
   * loaded again (reload, return without the back/forward cache) has them already.
   */
  #restore(): void {
    window.history.scrollRestoration = 'manual';
    const returned = readEntry();
    if (returned && window.scrollY === 0) window.scrollTo({ top: returned.scrollY, behavior: 'instant' });
    if (returned?.left && isReturn()) returnTo(returned.left);
  }

  /** The entry of what is shown now. */
  #shownEntry(held: number): Omit<Entry, 'at'> {
    return { criteria: this.#shown.criteria, scrollY: window.scrollY, held };
  }

  #store(mode: 'push' | 'replace', url: string | undefined, entry: Omit<Entry, 'at'>): void {
    const place = mode === 'push' ? this.#at + 1 : this.#at;
    const state = { forecourt: { ...entry, at: place } satisfies Entry };
    try {
      window.history[mode === 'push' ? 'pushState' : 'replaceState'](state, '', url);
      this.#at = place;
      this.#held = entry.held;
    } catch {
      // Too many writes: the entry keeps its older offset.
    }
  }

  #forgetTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #save(left?: LeftPlace): void {
    this.#forgetTimer();
    if (!this.#isTravelling) this.#store('replace', undefined, { ...this.#shownEntry(this.#held), left });
  }

  /** The visitor went back or forward. */
  #travel(): void {
    this.#forgetTimer();
    const entry = readEntry();
    if (this.#passesDialog(entry)) return;
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

  /** Closes the dialogs that this step leaves. Was that all there is to do? */
  #passesDialog(entry: Entry | undefined): boolean {
    const before = { held: this.#held, at: this.#at };
    this.#held = entry?.held ?? 0;
    this.#at = entry?.at ?? before.at;
    if (!entry || this.#held >= before.held) return false;
    const closed = this.#holders.splice(this.#held);
    for (const close of closed.reverse()) close();
    if (this.#at !== before.at - 1) return false;
    // What was searched behind the dialog stays: the entry below it catches up.
    this.#store('replace', this.#shown.url, this.#shownEntry(this.#held));
    // The dialog was closed before: this step should have left the search.
    if (closed.length === 0) window.history.back();
    return true;
  }
}

export const createPageHistory = (initialCriteria: SearchCriteria): PageHistory =>
  new EntryHistory(initialCriteria);
