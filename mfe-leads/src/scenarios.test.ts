/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { mountScenario } from '@forecourt/search/testing';
import scenarios from './scenarios.ts';

afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

describe('scenarios of mfe-leads', () => {
  it.each(scenarios)('hydrates $name without mismatch or accessibility problem', async (scenario) => {
    const mounted = await mountScenario(scenario);
    const played = mounted.container.querySelector('[data-played]');
    if (played) await waitFor(() => expect(played).toHaveAttribute('data-played', 'done'));
    expect(await mounted.accessibilityProblems()).toEqual([]);
    mounted.unmount();
  });
});
