import type { SlotFigure, SlotFigures } from '@forecourt/releases/slotFigures';

/** Newest values of each figure. */
const MAX_SAMPLES = 100;

/** What browsers measured of one slot within a time window. */
export class FigureSamples {
  readonly #windowMs: number;
  readonly #samples = new Map<SlotFigure, { readonly at: number; readonly value: number }[]>();

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  add(figures: Partial<Record<SlotFigure, number>>, now: number): void {
    for (const [name, value] of Object.entries(figures) as [SlotFigure, number][]) {
      const samples = this.#samples.get(name) ?? [];
      this.#samples.set(name, samples);
      samples.push({ at: now, value });
      if (samples.length > MAX_SAMPLES) samples.shift();
    }
  }

  /** Undefined without any. */
  summary(now: number): SlotFigures | undefined {
    const figures: SlotFigures = {};
    for (const [name, samples] of this.#samples) {
      const values = samples
        .filter(({ at }) => now - at <= this.#windowMs)
        .map(({ value }) => value)
        .sort((a, b) => a - b);
      const p75 = values[Math.ceil(values.length * 0.75) - 1];
      if (p75 !== undefined) figures[name] = { p75, views: values.length };
    }
    return Object.keys(figures).length > 0 ? figures : undefined;
  }
}
