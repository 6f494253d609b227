/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { configure, waitFor } from '@testing-library/react';
import { mountScenario } from '@forecourt/shared-contracts/testing';
import scenarios from './scenarios.ts';
import { prepareViewport } from './testing/viewport.ts';

configure({ asyncUtilTimeout: 10_000 });
beforeEach(prepareViewport);
afterEach(() => sessionStorage.clear());

describe('the scenarios', () => {
  it.each(scenarios)(
    'hydrates $name without a mismatch and has no accessibility problems',
    async (scenario) => {
      const shown = await mountScenario(scenario);
      await waitFor(() => {
        const played = shown.container.querySelector('[data-played]');
        if (played) expect(played).toHaveAttribute('data-played', 'done');
      });
      expect(await shown.accessibilityProblems()).toEqual([]);
      shown.unmount();
    },
  );
});
