/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { mountScenario } from '@forecourt/search/testing';
import scenarios from './scenarios.ts';
import { prepareViewport } from './testing/viewport.ts';

beforeEach(prepareViewport);
afterEach(() => sessionStorage.clear());

describe('scenarios of mfe-results', () => {
  it.each(scenarios)('hydrates $name without mismatch or accessibility problem', async (scenario) => {
    const mounted = await mountScenario(scenario);
    await waitFor(() => {
      const played = mounted.container.querySelector('[data-played]');
      if (played) expect(played).toHaveAttribute('data-played', 'done');
    });
    expect(await mounted.accessibilityProblems()).toEqual([]);
    mounted.unmount();
  });
});
