/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { mountScenario } from '@forecourt/shared-contracts/testing';
import scenarios from './scenarios.ts';

afterEach(() => sessionStorage.clear());

describe('the filters alone', () => {
  it.each(scenarios)('hydrates what the server made of $name, and everybody can use it', async (scenario) => {
    const shown = await mountScenario(scenario);
    expect(await shown.accessibilityProblems()).toEqual([]);
    shown.unmount();
  });
});
