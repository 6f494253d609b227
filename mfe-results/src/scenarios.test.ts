/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mountScenario } from '@forecourt/shared-contracts/testing';
import scenarios from './scenarios.ts';
import { prepareViewport } from './testing/viewport.ts';

beforeEach(prepareViewport);
afterEach(() => sessionStorage.clear());

describe('the results alone', () => {
  it.each(scenarios)('hydrates what the server made of $name, and everybody can use it', async (scenario) => {
    const shown = await mountScenario(scenario);
    expect(await shown.accessibilityProblems()).toEqual([]);
    shown.unmount();
  });
});
