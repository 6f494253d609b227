import type { SlotModule } from '../slots/defineSlot.ts';
import type { RootState } from '../store/index.ts';
import type { TestCalls } from './testEnvironment.ts';

/** One state of one slot that is worth looking at: empty, loading, error, a long text … */
export interface Scenario {
  /** Unique in its remote; lower case and hyphens, as it stands in a URL. */
  readonly name: string;
  readonly module: SlotModule;
  readonly state: RootState;
  /** What the slot's `load` answers; left out, `load` runs with `calls`. */
  readonly data?: unknown;
  readonly calls?: TestCalls;
}

/** The scenarios of a remote, for its standalone page and its tests. Throws when two have one name. */
export function defineScenarios(scenarios: readonly Scenario[]): readonly Scenario[] {
  const names = new Set<string>();
  for (const { name } of scenarios) {
    if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) throw new Error(`'${name}' cannot stand in a URL`);
    if (names.has(name)) throw new Error(`two scenarios are called '${name}'`);
    names.add(name);
  }
  return scenarios;
}

/** A scenario's module, with its data in the place of what `load` would answer. */
export const moduleOf = ({ module, data }: Scenario): SlotModule =>
  data === undefined ? module : { ...module, load: async () => data };
