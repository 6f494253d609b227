/** @jest-environment jest-fixed-jsdom */
import { expect, it, jest } from '@jest/globals';
import { act } from '@testing-library/react';
import { createTestEnvironment } from './testing/librarySite.ts';
import { mountSlot } from './mountSlot.tsx';
import { defineSlot } from './defineSlot.ts';

interface Parts {
  readonly text: string;
  readonly isWhole: boolean;
}

/** Hydrates a slot over the server's data; returns how often it has loaded and what it shows. */
async function hydrate(data: Parts, isComplete?: (data: Parts) => boolean) {
  const load = jest.fn(async (): Promise<Parts> => ({ text: 'whole', isWhole: false }));
  const module = defineSlot<Parts>({
    reads: [],
    load,
    loadKey: () => 'title',
    ...(isComplete && { isComplete }),
    view: ({ data: shown }) => <p>{shown?.text}</p>,
  });
  const { store, environment } = createTestEnvironment(module);
  const element = document.createElement('div');
  element.innerHTML = `<p>${data.text}</p>`;
  await act(async () =>
    mountSlot({
      module,
      element,
      store,
      environment,
      server: { state: store.getState(), data },
      onReady: () => {},
      onError: (phase, error) => {
        throw new Error(phase, { cause: error });
      },
    }),
  );
  return { load, element };
}

it("loads once more the parts that the server's data lacks, and nothing when it is complete", async () => {
  const isComplete = ({ isWhole }: Parts) => isWhole;
  const lacking = await hydrate({ text: 'part', isWhole: false }, isComplete);
  expect(lacking.load).toHaveBeenCalledTimes(1);
  expect(lacking.element).toHaveTextContent('whole');
  const complete = await hydrate({ text: 'server', isWhole: true }, isComplete);
  expect(complete.load).not.toHaveBeenCalled();
  expect(complete.element).toHaveTextContent('server');
});

it("treats the server's data as complete when the slot has no isComplete", async () => {
  const { load } = await hydrate({ text: 'server', isWhole: false });
  expect(load).not.toHaveBeenCalled();
});
