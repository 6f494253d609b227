/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { buildState, mountInTestShell, mountScenario } from '@forecourt/shared-contracts/testing';
import scenarios from '../scenarios.ts';
import slot from './sample-panel.tsx';

describe('the slot sample-panel', () => {
  it.each(scenarios)('hydrates what the server made of $name, and everybody can use it', async (scenario) => {
    const shown = await mountScenario(scenario);
    expect(await shown.accessibilityProblems()).toEqual([]);
    shown.unmount();
  });

  it.each([
    { count: 0, text: '0 vehicles match' },
    { count: 1, text: '1 vehicle matches' },
    { count: 1_234, text: '1,234 vehicles match' },
  ])('says that $text', ({ count, text }) => {
    mountInTestShell(slot, { state: buildState({ totalResultCount: count }) });
    expect(screen.getByRole('region', { name: 'Sample panel' }).textContent).toContain(text);
  });
});
