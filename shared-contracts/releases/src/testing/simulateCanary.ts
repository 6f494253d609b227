import { canaryRules, Evidence, judgeCanary } from '../canaryRule.ts';

/** Uniform numbers from 0 to 1 (mulberry32), the same in every run. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** How many of `count` outcomes have a probability. */
export function binomial(random: () => number, count: number, probability: number): number {
  let hits = 0;
  for (let at = 0; at < count; at += 1) if (random() < probability) hits += 1;
  return hits;
}

interface Measures {
  readonly required: number;
  readonly optional: number;
}

interface SimulatedCanary {
  /** Shares of bad outcomes. */
  readonly canary: number;
  readonly live: number;
  /** Share of the visitors that have the canary. */
  readonly weight: number;
  /** Of the canary; the rule depends on their number. */
  readonly measures: Measures;
  /** The measure that is simulated. */
  readonly kind: 'required' | 'optional';
  /** Outcomes of the canary after which it is given up. */
  readonly limit: number;
  /** Outcomes of both releases per minute; default 600. */
  readonly perMinute?: number;
  /** Both fail in this share from so many outcomes of the canary on, at another weight. */
  readonly outage?: { readonly from: number; readonly share: number; readonly weight: number };
  /** The canary fails in this share after so many of its outcomes. */
  readonly worseFrom?: { readonly after: number; readonly share: number };
}

/** Outcomes of the last hour, for steady traffic. */
class Window {
  readonly #isBad: Uint8Array;
  #added = 0;
  #bad = 0;
  constructor(size: number) {
    this.#isBad = new Uint8Array(Math.max(1, Math.round(size)));
  }
  add(isBad: boolean): void {
    const at = this.#added % this.#isBad.length;
    this.#bad += Number(isBad) - (this.#isBad[at] ?? 0);
    this.#isBad[at] = Number(isBad);
    this.#added += 1;
  }
  get outcomes() {
    return { good: Math.min(this.#added, this.#isBad.length) - this.#bad, bad: this.#bad };
  }
}

const MINUTE_MS = 60_000;

/** After how many of its outcomes a canary is ended by one measure, if a shell looks after each bad one; `Infinity` if never. */
export function endOfCanary(random: () => number, simulated: SimulatedCanary): number {
  const { measures, kind, limit, perMinute = 600, outage, worseFrom } = simulated;
  const rule = canaryRules(measures)[kind];
  const evidence = new Evidence(0);
  const windows = {
    canary: new Window(perMinute * 60 * simulated.weight),
    live: new Window(perMinute * 60 * (1 - simulated.weight)),
  };
  let count = 0;
  for (let at = 1; count < limit; at += 1) {
    const isOut = outage !== undefined && count >= outage.from;
    const weight = isOut ? outage.weight : simulated.weight;
    const release = random() < weight ? 'canary' : 'live';
    if (release === 'canary') count += 1;
    const own = release === 'canary' && worseFrom && count > worseFrom.after ? worseFrom : undefined;
    const isBad = random() < (isOut ? outage.share : (own?.share ?? simulated[release]));
    windows[release].add(isBad);
    evidence.add(release, !isBad, weight, (at / perMinute) * MINUTE_MS);
    if (release === 'live' || !isBad) continue;
    const compared = {
      canary: windows.canary.outcomes,
      live: windows.live.outcomes,
      evidence: evidence.value(),
    };
    if (judgeCanary(compared, rule) === 'worse') return count;
  }
  return Infinity;
}

/** How many of the canaries are ended within a day by any of their measures, although they are as good as live. */
export function falseEnds(
  random: () => number,
  {
    canaries,
    share,
    weight,
    measures,
    perDay,
  }: {
    readonly canaries: number;
    readonly share: number;
    readonly weight: number;
    readonly measures: Measures;
    /** Outcomes of each measure, of both releases. */
    readonly perDay: number;
  },
): number {
  const simulated = { canary: share, live: share, weight, measures, limit: perDay * weight };
  const perMinute = perDay / (24 * 60);
  const isEnded = () =>
    (['required', 'optional'] as const).some((kind) =>
      Array.from({ length: measures[kind] }).some(
        () => endOfCanary(random, { ...simulated, kind, perMinute }) < Infinity,
      ),
    );
  return Array.from({ length: canaries }).filter(isEnded).length;
}
