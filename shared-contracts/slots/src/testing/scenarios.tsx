import { guardReads } from '../state/slices.ts';
import { act } from '@testing-library/react';
import axe from 'axe-core';
import { mountSlot } from '../mountSlot.tsx';
import { renderSlot } from '../renderSlot.tsx';
import type { SlotState } from '../register.ts';
import {
  createTestEnvironment,
  type TestCalls,
  type TestedSite,
  type TestEnvironment,
} from './testEnvironment.tsx';
import type { SlotModule } from '../defineSlot.ts';

export interface MountedScenario extends TestEnvironment {
  readonly container: HTMLElement;
  /** The server's HTML, before hydration. */
  readonly html: string;
  /** Violated axe rules, each with the first offending element's HTML; colors need a real browser. */
  readonly accessibilityProblems: () => Promise<readonly string[]>;
  readonly unmount: () => void;
}

/**
 * Renders a scenario like the shell: on the server, then hydrated in the browser. Throws on a hydration
 * mismatch or when the view throws.
 */
export async function mountScenario(site: TestedSite, scenario: Scenario): Promise<MountedScenario> {
  const module = moduleOf(scenario);
  const shell = createTestEnvironment(site, module, scenario);
  const { slot } = shell.environment;
  const store = guardReads(site.state, shell.store, module.reads, slot);
  const state = store.getState();
  const { html, data } = await renderSlot(site.state, module, {
    slot,
    state: shell.store.getState(),
    checksReads: true,
    call: shell.environment.call,
    signal: new AbortController().signal,
  });
  const container = document.body.appendChild(document.createElement('div'));
  container.innerHTML = html;
  const errors: unknown[] = [];
  const { unmount } = await act(async () =>
    mountSlot({
      module,
      element: container,
      store,
      environment: shell.environment,
      server: { state, data },
      onReady: () => {},
      onError: (phase, error) =>
        errors.push(new Error(`${scenario.name} fails at ${phase}`, { cause: error })),
    }),
  );
  if (errors.length > 0) throw errors[0];
  return {
    ...shell,
    container,
    html,
    async accessibilityProblems() {
      const { violations } = await axe.run(container, {
        rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
      });
      return violations.map(({ id, help, nodes }) => `${id}: ${help} ${nodes[0]?.html ?? ''}`);
    },
    unmount() {
      act(unmount);
      container.remove();
    },
  };
}

/** One state of one slot, e.g. empty, loading, error, long text. */
export interface Scenario {
  /** Unique in its remote; lower case and hyphens, because it is part of a URL. */
  readonly name: string;
  readonly module: SlotModule;
  readonly state: SlotState;
  /** Result of the slot's `load`; if missing, `load` runs with `calls`. */
  readonly data?: unknown;
  readonly calls?: TestCalls;
}

/** The scenarios of a remote, for its standalone page and its tests. Throws for duplicate names. */
export function defineScenarios(scenarios: readonly Scenario[]): readonly Scenario[] {
  const names = new Set<string>();
  for (const { name } of scenarios) {
    if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name))
      throw new Error(`invalid scenario name '${name}': use lower case, digits and hyphens`);
    if (names.has(name)) throw new Error(`duplicate scenario name '${name}'`);
    names.add(name);
  }
  return scenarios;
}

/** A scenario's module, with its data instead of the result of `load`. */
export const moduleOf = ({ module, data }: Scenario): SlotModule =>
  data === undefined ? module : { ...module, load: async () => data };
