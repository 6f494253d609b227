/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { afterPaint } from './afterPaint.ts';

describe('afterPaint', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('calls in order, once each, after the frame', () => {
    const done: string[] = [];
    requestAnimationFrame(() => done.push('frame'));
    afterPaint(() => done.push('first'));
    afterPaint(() => done.push('second'));
    expect(done).toEqual([]);
    jest.advanceTimersByTime(500);
    expect(done).toEqual(['frame', 'first', 'second']);
  });

  it('calls soon in a tab that paints nothing', () => {
    const frames = jest.spyOn(window, 'requestAnimationFrame').mockReturnValue(1);
    const run = jest.fn();
    afterPaint(run);
    jest.advanceTimersByTime(99);
    expect(run).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledTimes(1);
    frames.mockRestore();
  });

  it.each([
    ['before the frame', 0],
    ['between the frame and its paint', 16],
  ])('calls nothing when canceled %s', (_, ms) => {
    const run = jest.fn();
    const cancel = afterPaint(run);
    requestAnimationFrame(cancel);
    if (ms === 0) cancel();
    jest.advanceTimersByTime(500);
    expect(run).not.toHaveBeenCalled();
  });
});
