/** @jest-environment jest-fixed-jsdom */
import { expect, it } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { mountSlot } from '@forecourt/shared-contracts/slots/browser';
import { renderSlot } from '@forecourt/shared-contracts/slots/server';
import type { RootState } from '@forecourt/shared-contracts/store';
import { createTestEnvironment, type TestCalls } from '@forecourt/shared-contracts/testing';
import type { ReferenceData } from '../data/loadReference.ts';
import { sampleData, stateOf } from '../testing/sampleData.ts';
import modelReference from './model-reference.tsx';

/** ms; longer than the server waits. */
const LATE = 700;

const respondLate = <T,>(response: T) => new Promise<T>((resolve) => setTimeout(resolve, LATE, response));

const calls: TestCalls = {
  modelYears: () => ({ links: sampleData.modelYearsData }),
  trims: () => respondLate({ links: sampleData.trimsData }),
  referenceVehicles: () => ({ items: sampleData.trims }),
  safety: () => respondLate(sampleData.safetyInfo),
};

/** Hydrates the section over server HTML with these data. */
async function hydrate(data: ReferenceData) {
  const requestedCalls: string[] = [];
  const { store, environment } = createTestEnvironment(modelReference, { state: stateOf(), calls });
  const state = store.getState() as RootState;
  const { html } = await renderSlot(
    { ...modelReference, load: async () => data },
    { slot: 'test', state, call: environment.call, signal: new AbortController().signal },
  );
  const element = document.body.appendChild(document.createElement('div'));
  element.innerHTML = html;
  const { unmount } = await act(async () =>
    mountSlot({
      module: modelReference,
      element,
      store,
      environment: {
        ...environment,
        call: (name, ...rest) => (requestedCalls.push(name), environment.call(name, ...rest)),
      },
      server: { state, data },
      onReady: () => {},
      onError: (phase, error) => {
        throw new Error(phase, { cause: error });
      },
    }),
  );
  return { requestedCalls, leave: () => (act(unmount), element.remove()) };
}

// rows: B2-MR-03, B4-MR-04
it('loads in the browser the parts that were late on the server', async () => {
  const { leave } = await hydrate({ ...sampleData, trimsData: [], safetyInfo: null, isPartial: true });
  expect(screen.queryByRole('tab', { name: 'Safety' })).toBeNull();
  expect(screen.getByRole('table', { name: 'Ford F-150 prices by model year' })).toBeVisible();
  expect(await screen.findByRole('tab', { name: 'Safety' }, { timeout: 4 * LATE })).toBeVisible();
  expect(screen.getByRole('table', { name: 'Ford F-150 prices by trim' })).toBeVisible();
  leave();
});

it('loads nothing in the browser when the server had all parts, even empty ones', async () => {
  const { requestedCalls, leave } = await hydrate({ ...sampleData, safetyInfo: null });
  expect(requestedCalls.filter((name) => name !== 'specs')).toEqual([]);
  leave();
});
