/** @jest-environment jest-fixed-jsdom */
import { expect, it } from '@jest/globals';
import { EVENT_SCHEMAS } from '@forecourt/search/events';
import { createEventBus } from '@forecourt/slots/events';
import { followBottomEdge } from './followBottomEdge.ts';

it('reserves space for the tallest cover of the bottom edge, and none when all are gone', () => {
  const bus = createEventBus(EVENT_SCHEMAS, () => {});
  followBottomEdge(bus);
  const covered = () => document.documentElement.style.getPropertyValue('--fc-bottom-covered');
  bus.emit('page.bottomCovered', { by: 'fixedAd', height: 90 }, 'results');
  bus.emit('page.bottomCovered', { by: 'compare', height: 64 }, 'results');
  expect(covered()).toBe('90px');
  bus.emit('page.bottomCovered', { by: 'fixedAd', height: 0 }, 'results');
  expect(covered()).toBe('64px');
  bus.emit('page.bottomCovered', { by: 'compare', height: 0 }, 'results');
  expect(covered()).toBe('0px');
});
