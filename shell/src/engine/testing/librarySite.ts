import { SLOT_EVENTS } from '@forecourt/slots/events';
import { object, text } from '@forecourt/slots/schema';
import type { BrowserSite, MountFrame, PersonalParts } from '../browser/browserSite.ts';
import { mountFrame } from '../browser/frame/framedSlot.ts';
import { type LibraryState, libraryState } from './libraryState.ts';

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
 * The library in the browser. The types of this program are those of the site that registered itself; at run time
 * any state and any event will do.
 */
export const librarySite = site as unknown as BrowserSite;
