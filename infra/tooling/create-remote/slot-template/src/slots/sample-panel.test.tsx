/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { buildState, mountInTestShell, mountScenario } from '@forecourt/search/testing';
import slot from './sample-panel.tsx';

describe('the slot sample-panel', () => {
  it('hydrates the server HTML and is accessible', async () => {
    const state = buildState({ totalResultCount: 1_234 });
    const mounted = await mountScenario({ name: 'results', module: slot, state });
    expect(await mounted.accessibilityProblems()).toEqual([]);
    mounted.unmount();
  });

  it.each([
    { count: 0, text: '0 vehicles match' },
    { count: 1, text: '1 vehicle matches' },
    { count: 1_234, text: '1,234 vehicles match' },
  ])('shows "$text"', ({ count, text }) => {
    mountInTestShell(slot, { state: buildState({ totalResultCount: count }) });
    expect(screen.getByRole('region', { name: 'Sample panel' }).textContent).toContain(text);
  });
});
