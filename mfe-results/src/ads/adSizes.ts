import { type CSSProperties, useSyncExternalStore } from 'react';
import { FIXED_AD_SIZES, LARGE_SCREEN_FROM, LEADERBOARD_HEIGHTS } from '../constants.ts';
import { SMALL_SCREEN_BELOW } from '@forecourt/shared-contracts/rules';
export type Screen = 'small' | 'medium' | 'large';
/** px, width by height. */
export type AdSize = readonly [width: number, height: number];

/** The class of a viewport of so many px (AMB-095, AMB-141). */
export function screenOf(width: number): Screen {
  if (width < SMALL_SCREEN_BELOW) return 'small';
  return width < LARGE_SCREEN_FROM ? 'medium' : 'large';
}

/** Size of the fixed ad (B9-FIXED-04..06). */
export const fixedAdSize = (screen: Screen): AdSize =>
  screen === 'medium' ? FIXED_AD_SIZES.otherwise : FIXED_AD_SIZES[screen];

export type LeaderboardKind = keyof typeof LEADERBOARD_HEIGHTS;

/** px reserved for a leaderboard, its label included (B9-HEIGHT-01..03, AMB-142). */
export function leaderboardHeight(kind: LeaderboardKind, screen: Screen): number {
  const heights: { large: number; medium?: number; small?: number; otherwise?: number } =
    LEADERBOARD_HEIGHTS[kind];
  return heights[screen] ?? heights.otherwise ?? heights.large;
}

/** The heights as custom properties: the same markup reserves the right space on every screen. */
export const reservedHeights = (kind: LeaderboardKind): CSSProperties =>
  Object.fromEntries(
    (['small', 'medium', 'large'] as const).map((screen) => [
      `--ad-${screen}`,
      `${leaderboardHeight(kind, screen)}px`,
    ]),
  );

/** px; line of the word 'Advertisement' above a creative. */
const LABEL_HEIGHT = 24;

/** What to ask for: as wide as the screen class allows, as high as the label leaves. */
export function leaderboardSize(kind: LeaderboardKind, screen: Screen): AdSize {
  const [width, height] = fixedAdSize(screen);
  return kind === 'standard' ? [width, height] : [width, leaderboardHeight(kind, screen) - LABEL_HEIGHT];
}

/** px; a creative in a tile is stretched to the tile. */
export const TILE_AD_SIZE: AdSize = [300, 250];

const followWidth = (changed: () => void) => {
  window.addEventListener('resize', changed);
  return () => window.removeEventListener('resize', changed);
};

/** The class of the viewport as it is now: a window is resized, a phone is turned (AMB-141). Browser only. */
export const useScreen = (): Screen => useSyncExternalStore(followWidth, () => screenOf(window.innerWidth));
