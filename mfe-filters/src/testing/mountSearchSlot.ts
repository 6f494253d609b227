import { DEFAULT_PATH, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import type { SlotModule } from '@forecourt/shared-contracts/slots';
import { type SearchState, searchStarted, type SessionState } from '@forecourt/shared-contracts/store';
import { buildState, mountInTestShell } from '@forecourt/shared-contracts/testing';
import { resolveFlags, BRANDS } from '@forecourt/shared-contracts/brands';
import { buildFilters } from './builders.ts';
import { act } from '@testing-library/react';

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
 * Mounts a slot with a shell that, as the real one, takes over changed criteria
 * at once. Nothing is painted in a test, so a frame is over when it begins.
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
    /** The searches asked for so far. */
    searches: (): readonly SearchCriteria[] => searches,
    /** Filters of the store. */
    filters: () => shell.store.getState().search.criteria.filters,
  };
}

/** What a form would send: its successful controls in order. */
export function formFields(form: HTMLFormElement): [name: string, value: string][] {
  return [...form.elements].flatMap((control): [string, string][] => {
    if (!(control instanceof HTMLInputElement || control instanceof HTMLSelectElement)) return [];
    const isOff =
      control instanceof HTMLInputElement && /checkbox|radio/.test(control.type) && !control.checked;
    return isOff || !control.name || control.matches(':disabled') ? [] : [[control.name, control.value]];
  });
}

/**
 * jsdom has no layout: the answer says that a watched element's lower edge has
 * been scrolled to so many px below the screen's upper edge. Call it before mounting.
 */
export function watchScrolling(): (element: Element, bottom: number) => void {
  const watched = new Map<Element, IntersectionObserverCallback>();
  window.IntersectionObserver = class implements Partial<IntersectionObserver> {
    private readonly receive: IntersectionObserverCallback;
    constructor(receive: IntersectionObserverCallback) {
      this.receive = receive;
    }
    observe(element: Element) {
      watched.set(element, this.receive);
    }
    disconnect() {
      for (const [element, receive] of watched) if (receive === this.receive) watched.delete(element);
    }
  } as unknown as typeof IntersectionObserver;
  return (element, bottom) => {
    const receive = watched.get(element);
    if (!receive) throw new Error('nobody watches the element');
    const entry = { isIntersecting: bottom > 0, boundingClientRect: { bottom } as DOMRect };
    act(() => receive([entry as IntersectionObserverEntry], {} as IntersectionObserver));
  };
}
