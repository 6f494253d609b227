import { type CSSProperties, useSyncExternalStore } from 'react';
import { FIXED_AD_SIZES, LARGE_SCREEN_FROM, LEADERBOARD_HEIGHTS } from '../constants.ts';
import { SMALL_SCREEN_BELOW } from '@forecourt/slots/ui';
export type Screen = 'small' | 'medium' | 'large';
/** px. */
export type AdSize = readonly [width: number, height: number];

/** Screen class of a viewport width in px. */
export function screenOf(width: number): Screen {
  if (width < SMALL_SCREEN_BELOW) return 'small';
  return width < LARGE_SCREEN_FROM ? 'medium' : 'large';
}

/** Size of the fixed ad. */
export const fixedAdSize = (screen: Screen): AdSize =>
  screen === 'medium' ? FIXED_AD_SIZES.otherwise : FIXED_AD_SIZES[screen];

export type LeaderboardKind = keyof typeof LEADERBOARD_HEIGHTS;

/** px reserved for a leaderboard, including its label. */
export function leaderboardHeight(kind: LeaderboardKind, screen: Screen): number {
  const heights: { large: number; medium?: number; small?: number; otherwise?: number } =
    LEADERBOARD_HEIGHTS[kind];
  return heights[screen] ?? heights.otherwise ?? heights.large;
}

/** Heights as custom properties, so that the same markup reserves the right space on every screen. */
export const reservedHeights = (kind: LeaderboardKind): CSSProperties =>
  Object.fromEntries(
    (['small', 'medium', 'large'] as const).map((screen) => [
      `--ad-${screen}`,
      `${leaderboardHeight(kind, screen)}px`,
    ]),
  );

/** px; the 'Advertisement' label above a creative. */
const LABEL_HEIGHT = 24;

/** Widths and heights of the three ads, largest first. */
const SIZES_FROM_LARGE: readonly AdSize[] = [
  FIXED_AD_SIZES.large,
  FIXED_AD_SIZES.otherwise,
  FIXED_AD_SIZES.small,
];

/**
 * Requested size: the width of the screen class, or the next smaller one that fits the column, and the height
 * that the label leaves.
 *
 * @param column px; unlimited unless it is known
 */
export function leaderboardSize(kind: LeaderboardKind, screen: Screen, column = Infinity): AdSize {
  const ofScreen = fixedAdSize(screen);
  const [width, height] =
    SIZES_FROM_LARGE.find(([each]) => each <= Math.min(column, ofScreen[0])) ?? FIXED_AD_SIZES.small;
  return kind === 'standard' ? [width, height] : [width, leaderboardHeight(kind, screen) - LABEL_HEIGHT];
}

/** px; in the middle of the tile. */
export const TILE_AD_SIZE: AdSize = [300, 250];

const followWidth = (onChange: () => void) => {
  window.addEventListener('resize', onChange);
  return () => window.removeEventListener('resize', onChange);
};

/** The current screen class; follows window resizes. Browser only. */
export const useScreen = (): Screen => useSyncExternalStore(followWidth, () => screenOf(window.innerWidth));
