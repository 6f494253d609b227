import { ROOT } from '@forecourt/library';
import { LIBRARY_EVENTS, libraryState } from '@forecourt/library/state';
import { createLoadFrames, startDocument } from '@forecourt/shell/engine/browser';

startDocument({
  root: ROOT,
  events: LIBRARY_EVENTS,
  ownSlots: {},
  state: libraryState,
  withPersonal: (state) => state,
  loadFrames: createLoadFrames({ personalEvents: [], withoutPersonal: (state) => state }),
  // A cached page whose content is gone is loaded again.
  async loadContent() {
    window.location.reload();
    return new Promise(() => {});
  },
  earlyNavigation: () => undefined,
  focusFallback: 'h1',
  telemetryOf: () => ({}),
  start: () => ({}),
  startLate: () => {},
});
