import { SLOT_EVENTS } from '@forecourt/slots/events';
import { object, text } from '@forecourt/slots/schema';
import { defineState } from '@forecourt/slots/state';
import type { BrowserSite, MountFrame, PersonalParts } from '../browser/browserSite.ts';
import { mountFrame } from '../browser/frame/framedSlot.ts';

/** State of a small site for the engine's tests: the shelf of a library. */
export interface LibraryState {
  readonly page: { readonly kind: string };
  readonly session: { readonly reader: string | null };
  readonly shelf: { readonly books: number; readonly sort: string };
}

/** Sets the number of books: `{ type: 'shelf/counted', payload: 9 }`. */
const shelfReducer = (
  state: LibraryState['shelf'] = { books: 5, sort: 'title' },
  action: { readonly type: string },
): LibraryState['shelf'] =>
  action.type === 'shelf/counted'
    ? { ...state, books: (action as { payload?: number }).payload ?? 0 }
    : state;

export const libraryState = defineState<LibraryState>({
  reducers: {
    page: (state = { kind: 'shelf' }) => state,
    session: (state = { reader: null }, action) =>
      action.type === 'session/opened'
        ? { reader: (action as unknown as { payload: string }).payload }
        : state,
    shelf: shelfReducer,
  },
  divided: ['shelf'],
  changes: {},
});

/** Its events: a book is asked for, and a dialog that has a name. */
export const LIBRARY_EVENTS = {
  ...SLOT_EVENTS,
  'book.requested': object({ isbn: text(1, 20) }),
  'dialog.requested': object({ name: text(1, 20) }),
  'reader.changed': object({ name: text(0, 20) }),
};
export const LIBRARY_EVENT_TYPES = Object.keys(LIBRARY_EVENTS);

/** What is the reader's own. */
export const libraryPersonalParts = {
  personalEvents: ['reader.changed'],
  withoutPersonal: (state: LibraryState) => ({ ...state, session: { reader: null } }),
} as unknown as PersonalParts;

const site = {
  root: '/library',
  events: LIBRARY_EVENTS,
  ownSlots: {},
  state: libraryState,
  withPersonal: (state: LibraryState, personal: object) => ({
    ...state,
    session: { ...state.session, ...personal },
  }),
  loadFrames: async () => ({
    mountFrame: (parts: Parameters<MountFrame>[0]) => mountFrame({ ...parts, ...libraryPersonalParts }),
  }),
  loadContent: () => Promise.reject(new Error('unused')),
  earlyNavigation: () => undefined,
  focusFallback: '#shelf-heading',
  telemetryOf: () => ({ library: 'main' }),
  start: () => ({}),
  startLate: () => {},
};

/**
 * The library in the browser. The types of this program are those of the marketplace, which registered itself; at run time
 * any state and any event will do.
 */
export const librarySite = site as unknown as BrowserSite;
