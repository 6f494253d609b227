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

it('hides floating buttons of small screens while an open drawer covers the bottom edge', () => {
  const bus = createEventBus(EVENT_SCHEMAS, () => {});
  followBottomEdge(bus);
  const floating = () => document.documentElement.style.getPropertyValue('--fc-floating');
  const drawerOf = (share: number) =>
    bus.emit(
      'page.bottomCovered',
      { by: 'compare', height: Math.round(window.innerHeight * share) },
      'results',
    );
  drawerOf(0.2);
  expect(floating()).toBe('hidden');
  drawerOf(0.08);
  expect(floating()).toBe('visible');
  drawerOf(0);
});
