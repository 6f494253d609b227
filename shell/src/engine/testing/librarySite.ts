import { EVENT_SCHEMAS } from '@forecourt/shared-contracts/events';
import { createStore } from '@forecourt/shared-contracts/store';
import type { BrowserSite } from '../browser/browserSite.ts';

/** A small site for the engine's tests in the browser. */
export const librarySite: BrowserSite = {
  root: '/library',
  events: EVENT_SCHEMAS,
  personalEvents: ['session.changed'],
  ownSlots: {},
  createStore,
  changeOf: () => undefined,
  withPersonal: (state, personal) => ({ ...state, session: { ...state.session, ...personal } }),
  withoutPersonal: (state) => ({
    ...state,
    session: { ...state.session, account: null, savedListingIds: [] },
  }),
  loadContent: () => Promise.reject(new Error('unused')),
  earlyNavigation: () => undefined,
  focusFallback: '#shelf-heading',
  telemetryOf: () => ({ library: 'main' }),
  start: () => ({}),
  startLate: () => {},
};
