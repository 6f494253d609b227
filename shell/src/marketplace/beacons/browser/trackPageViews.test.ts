/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { EVENT_SCHEMAS } from '@forecourt/search/events';
import { createEventBus } from '@forecourt/slots/events';
import { trackPageViews } from './trackPageViews.ts';

const turn = (visibilityState: 'hidden' | 'visible') => {
  Object.defineProperty(document, 'visibilityState', { value: visibilityState, configurable: true });
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
};

function start() {
  const bus = createEventBus(EVENT_SCHEMAS, () => {});
  const tracked: unknown[] = [];
  bus.on('page.tracked').subscribe((fact) => tracked.push(fact));
  trackPageViews(bus);
  return { bus, tracked };
}
const VIEW = { kind: 'view', name: 'page' };

describe('page views', () => {
  beforeEach(() => turn('visible'));

  // rows: B7-OTHER-03
  it('tracks one view without a listing when the page is shown', () => {
    const { tracked } = start();
    turn('hidden');
    turn('visible');
    expect(tracked).toEqual([VIEW]);
  });

  it('tracks a background tab when it becomes visible', () => {
    turn('hidden');
    const { tracked } = start();
    expect(tracked).toEqual([]);
    turn('visible');
    expect(tracked).toEqual([VIEW]);
  });

  it('tracks again when the page is restored from the back/forward cache', () => {
    const { tracked } = start();
    for (const persisted of [false, true])
      window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));
    expect(tracked).toEqual([VIEW, VIEW]);
  });

  it('tracks each completed search', () => {
    const { bus, tracked } = start();
    bus.emit('search.completed', { requestId: 'r1-1', totalResultCount: 0 }, 'shell');
    expect(tracked).toEqual([VIEW, { kind: 'view', name: 'search' }]);
  });
});
