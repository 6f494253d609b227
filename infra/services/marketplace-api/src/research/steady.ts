import { createHash } from 'node:crypto';

/** A number from 0 up to 1 that is always the same for the same parts, and unlike for unlike ones. */
export const steady = (...parts: readonly (string | number)[]): number =>
  createHash('sha256').update(parts.join('\u0000')).digest().readUInt32BE(0) / 2 ** 32;

/** One of the choices, always the same for the same parts. */
export function steadyPick<Choice>(
  choices: readonly Choice[],
  ...parts: readonly (string | number)[]
): Choice {
  return choices[Math.floor(steady(...parts) * choices.length)]!;
}
