/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { useDimming } from './useGrid.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

it('dims stale results only when the response is late', () => {
  const { result, rerender } = renderHook((isStale: boolean) => useDimming(isStale), { initialProps: true });
  expect(result.current).toBe(false);
  act(() => jest.advanceTimersByTime(100));
  expect(result.current).toBe(true);
  rerender(false);
  expect(result.current).toBe(false);
  rerender(true);
  act(() => jest.advanceTimersByTime(50));
  rerender(false);
  act(() => jest.advanceTimersByTime(500));
  expect(result.current).toBe(false);
});
