/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { mountScenario } from '@forecourt/search/testing';
import scenarios from './scenarios.ts';

afterEach(() => sessionStorage.clear());

describe('scenarios of mfe-showcase', () => {
  it.each(scenarios)('hydrates $name without mismatch or accessibility problem', async (scenario) => {
    const mounted = await mountScenario(scenario);
    expect(await mounted.accessibilityProblems()).toEqual([]);
    mounted.unmount();
  });
});
