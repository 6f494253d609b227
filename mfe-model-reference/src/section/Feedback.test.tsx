/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { FilterValues } from '@forecourt/search/criteria';
import { mountInTestShell } from '@forecourt/search/testing';
import type { ReferenceData } from '../data/loadReference.ts';
import { F150, sampleData as data, specsOf, stateOf } from '../testing/sampleData.ts';
import modelReference from '../slots/model-reference.tsx';

const show = (changes: Partial<ReferenceData> = {}, filters: FilterValues = F150) =>
  mountInTestShell(modelReference, {
    state: stateOf(filters),
    data: { ...data, ...changes },
    calls: { specs: ({ vehicleId = '' }) => specsOf(vehicleId) },
  });

afterEach(() => {
  window.history.replaceState(null, '', '/');
  sessionStorage.clear();
});

describe('feedback', () => {
  // rows: B4-FEEDBACK-01
  it.each(['Yes', 'No'])("thanks for '%s' and asks only once per session", async (answer) => {
    const { unmount, events } = show();
    await userEvent.click(screen.getByRole('button', { name: answer }));
    const thanks = screen.getByText('Thank you for your feedback.');
    expect(thanks).toHaveFocus();
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'page.tracked',
        payload: { kind: 'click', name: 'modelReferenceFeedback', tile: answer.toLowerCase() },
      }),
    );
    unmount();
    show();
    expect(screen.queryByRole('button', { name: answer })).toBeNull();
  });
});
