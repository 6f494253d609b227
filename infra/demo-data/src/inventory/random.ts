import { createHash } from 'node:crypto';

/** A seeded random stream: the same seed and stream always give the same draws. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [from, to]. */
  int(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Standard normal. */
  normal(): number;
}

/** sfc32 (Chris Doty-Humphrey), seeded with two numbers. */
export function createRandom(seed: number, stream: number): Random {
  let a = 0x9e3779b9 ^ seed;
  let b = Math.imul(stream, 0x85ebca6b) ^ 0x243f6a88;
  let c = Math.imul(seed ^ stream, 0xc2b2ae35) ^ 0xb7e15162;
  let counter = 1;

  function next(): number {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 4_294_967_296;
  }
  // The first draws of neighboring streams still resemble each other.
  for (let warmUp = 0; warmUp < 12; warmUp += 1) next();

  return {
    next,
    int: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new RangeError('Nothing to pick from');
      return item;
    },
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}

/** Draws items in proportion to their weights, in logarithmic time. */
export interface WeightedChoice<T> {
  readonly isEmpty: boolean;
  draw(random: Random): T;
}

export function weightedChoice<T>(items: readonly T[], weightOf: (item: T) => number): WeightedChoice<T> {
  const sums = new Float64Array(items.length);
  let total = 0;
  items.forEach((item, index) => {
    total += weightOf(item);
    sums[index] = total;
  });
  return {
    isEmpty: total <= 0,
    draw(random) {
      const target = random.next() * total;
      let low = 0;
      let high = items.length - 1;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((sums[middle] ?? 0) > target) high = middle;
        else low = middle + 1;
      }
      const item = items[low];
      if (item === undefined) throw new RangeError('Nothing to draw from');
      return item;
    },
  };
}

/** A choice from a table of weights by code. */
export function choiceOf<K extends string>(weights: Readonly<Record<K, number>>): WeightedChoice<K> {
  return weightedChoice(Object.keys(weights) as K[], (key) => weights[key]);
}

/** A hash of the parts as a number in [0, 1). */
export const steady = (...parts: readonly (string | number)[]): number =>
  createHash('sha256').update(parts.join('\u0000')).digest().readUInt32BE(0) / 2 ** 32;

/** One of the choices, by a hash of the parts. */
export function steadyPick<Choice>(
  choices: readonly Choice[],
  ...parts: readonly (string | number)[]
): Choice {
  return choices[Math.floor(steady(...parts) * choices.length)]!;
}
