/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { whenListingsShown } from './whenListingsShown.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

it('waits for the listings while they are busy', () => {
  document.body.innerHTML = '<ul id="listings" aria-busy="true"></ul>';
  const run = jest.fn();
  whenListingsShown(run);
  jest.advanceTimersByTime(50);
  expect(run).not.toHaveBeenCalled();
  document.getElementById('listings')?.setAttribute('aria-busy', 'false');
  jest.advanceTimersByTime(50);
  expect(run).toHaveBeenCalledTimes(1);
});
