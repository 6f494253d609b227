import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createSlotBreakers } from './slotBreakers.ts';
import { RenderFailure, type RenderFailureCode } from './slotRenderer.ts';
import { textSlot, tinyRelease } from './testing/tinyRelease.ts';

const release = tinyRelease({ tiny: textSlot('x'), other: textSlot('y') });
const inTime = () => Promise.resolve('html');
const fail =
  (code: RenderFailureCode, isOfMachine = false) =>
  () =>
    Promise.reject(new RenderFailure(code, code, { isOfMachine }));
const late = fail('DEADLINE');

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

/** The outcome of a render: what it resolves to, or the code that it rejects with. */
function rig() {
  const breakers = createSlotBreakers();
  const outcome = (render: () => Promise<string>, slot = 'tiny', of = release) =>
    breakers.run(of, slot, render).catch((error: unknown) => (error as RenderFailure).code);
  const repeat = async (times: number, render: () => Promise<string>) => {
    const outcomes: string[] = [];
    for (let time = 0; time < times; time += 1) outcomes.push(await outcome(render));
    return outcomes;
  };
  return { outcome, repeat };
}

describe('a slot that is late again and again', () => {
  it('keeps no page waiting after the fifth in a row', async () => {
    const { outcome, repeat } = rig();
    const render = jest.fn(late);
    expect(await repeat(8, render)).toEqual([...Array(5).fill('DEADLINE'), ...Array(3).fill('PAUSED')]);
    expect(render).toHaveBeenCalledTimes(5);
    // Nor do those that its process dies of.
    const dying = rig();
    expect(await dying.repeat(6, fail('DIED'))).toEqual([...Array(5).fill('DIED'), 'PAUSED']);
    expect(await outcome(inTime, 'other')).toBe('html');
    expect(await outcome(inTime, 'tiny', { ...release })).toBe('html');
  });

  it('is tried by one page after a pause, and by the next ones after longer pauses', async () => {
    const { outcome, repeat } = rig();
    await repeat(5, late);
    for (const pause of [5, 10, 20, 40, 60, 60]) {
      jest.advanceTimersByTime(pause * 1000 - 1);
      expect(await outcome(late)).toBe('PAUSED');
      jest.advanceTimersByTime(1);
      const trial = Promise.withResolvers<string>();
      const trying = outcome(() => trial.promise);
      expect(await outcome(inTime)).toBe('PAUSED');
      trial.reject(new RenderFailure('DEADLINE', 'late'));
      expect(await trying).toBe('DEADLINE');
    }
    jest.advanceTimersByTime(60_000);
    expect(await repeat(2, inTime)).toEqual(['html', 'html']);
  });
});

describe('a slot that is not paused', () => {
  it.each<[string, () => Promise<string>]>([
    ['throws, which keeps no page waiting', fail('THREW')],
    ['has HTML that is refused', fail('BAD_HTML')],
    ['waits for the machine', fail('DEADLINE', true)],
    ['has visitors who leave', fail('CANCELLED')],
    ['is in time', inTime],
  ])('%s', async (_, render) => {
    const { outcome, repeat } = rig();
    const outcomes = await repeat(20, render);
    expect(new Set(outcomes).size).toBe(1);
    expect(outcomes).not.toContain('PAUSED');
    expect(await outcome(inTime)).toBe('html');
  });

  it('is late four times between two renders in time', async () => {
    const { repeat } = rig();
    for (let round = 0; round < 3; round += 1) {
      expect(await repeat(4, late)).toEqual(Array(4).fill('DEADLINE'));
      expect(await repeat(1, inTime)).toEqual(['html']);
    }
  });
});
