/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mockCreatives } from '../testing/mountResults.ts';
import { prepareViewport } from '../testing/viewport.ts';
import { fixedAdSize, leaderboardHeight, leaderboardSize, reservedHeights, screenOf } from './adSizes.ts';
import { LEADERBOARD_HEIGHTS } from '../constants.ts';

beforeEach(() => {
  prepareViewport();
  mockCreatives();
});

afterEach(() => void jest.restoreAllMocks());

describe('ad sizes', () => {
  // rows: B9-HEIGHT-01
  it('reserves 146 and 117 px for the standard leaderboard', () => {
    expect(reservedHeights('standard')).toEqual({
      '--ad-large': '146px',
      '--ad-medium': '117px',
      '--ad-small': '117px',
    });
  });

  // rows: B9-HEIGHT-02
  it('reserves 246, 191 and 124 px for the tall leaderboard', () => {
    expect(reservedHeights('tall')).toEqual({
      '--ad-large': '246px',
      '--ad-medium': '191px',
      '--ad-small': '124px',
    });
  });

  // rows: B9-HEIGHT-03
  it('reserves 523 and 391 px for the expanded leaderboard', () => {
    expect(reservedHeights('expanded')).toEqual({
      '--ad-large': '523px',
      '--ad-medium': '391px',
      '--ad-small': '391px',
    });
  });

  // rows: B9-FIXED-04, B9-FIXED-05, B9-FIXED-06
  it('returns a fixed ad size of 320x50 below 768 px, 970x90 from 1200 px and 728x90 between', () => {
    const at = (width: number) => fixedAdSize(screenOf(width)).join('x');
    expect([767, 768, 1199, 1200].map(at)).toEqual(['320x50', '728x90', '728x90', '970x90']);
  });

  it('requests a narrower leaderboard where the column is narrower than that of the screen', () => {
    expect(leaderboardSize('standard', 'large')).toEqual([970, 90]);
    expect(leaderboardSize('standard', 'large', 963)).toEqual([728, 90]);
    expect(leaderboardSize('tall', 'medium', 500)[0]).toBe(320);
    expect(leaderboardSize('standard', 'small', 280)).toEqual([320, 50]);
  });

  it('never requests a leaderboard larger than its reserved space', () => {
    for (const kind of Object.keys(LEADERBOARD_HEIGHTS) as (keyof typeof LEADERBOARD_HEIGHTS)[])
      for (const screenClass of ['small', 'medium', 'large'] as const)
        expect(leaderboardHeight(kind, screenClass)).toBeGreaterThan(fixedAdSize(screenClass)[1]);
  });
});
