/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { mountScenario } from '@forecourt/search/testing';
import scenarios from './scenarios.ts';

// jsdom has no media queries: simulate a small screen.
beforeEach(() => {
  Object.assign(window, {
    matchMedia: () => ({ matches: false, addEventListener() {}, removeEventListener() {} }),
  });
});
afterEach(() => sessionStorage.clear());

describe('scenarios of mfe-filters', () => {
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
