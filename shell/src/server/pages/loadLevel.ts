/** What is shed, in this order; each level includes those before it. */
export const LOAD_LEVELS = ['normal', 'slots', 'stale', 'refuse'] as const;
export type LoadLevel = (typeof LOAD_LEVELS)[number];

export interface LoadState {
  readonly level: LoadLevel;
  /** Time without overload since the last change; ms. */
  readonly calmMs: number;
}

export interface LoadWindow {
  readonly elapsedMs: number;
  /** The shortest delay in the window: what remains is a standing queue, not a burst (CoDel, RFC 8289). */
  readonly delayMs: number;
  /** Some request got no permit. */
  readonly hasRefused: boolean;
}

export interface LoadLimits {
  /** Acceptable delay; ms. */
  readonly targetMs: number;
  /** Time without overload after which a level ends; ms. */
  readonly calmMs: number;
}

export const NO_LOAD: LoadState = { level: 'normal', calmMs: 0 };

const levelAt = (index: number): LoadLevel =>
  LOAD_LEVELS[Math.min(Math.max(index, 0), LOAD_LEVELS.length - 1)] as LoadLevel;

/**
 * The state after a window: one level up if its delay exceeds the target, one
 * down for each calm period. A window with more than half the target or with a
 * refusal is neither, so that levels do not flap.
 */
export function nextLoad(
  { level, calmMs }: LoadState,
  { elapsedMs, delayMs, hasRefused }: LoadWindow,
  limits: LoadLimits,
): LoadState {
  const index = LOAD_LEVELS.indexOf(level);
  if (delayMs > limits.targetMs) return { level: levelAt(index + 1), calmMs: 0 };
  if (hasRefused || delayMs > limits.targetMs / 2) return { level, calmMs: 0 };
  const calm = calmMs + elapsedMs;
  const steps = Math.floor(calm / limits.calmMs);
  const lower = levelAt(index - steps);
  return { level: lower, calmMs: lower === 'normal' ? 0 : calm - steps * limits.calmMs };
}
