/** @jest-environment jest-fixed-jsdom */
import { expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { RangeGraph } from './RangeGraph.tsx';

it('draws the bars within the bounds apart from the others, and none for an empty step', () => {
  const histogram = {
    min: 0,
    max: 4000,
    step: 1000,
    counts: [4, 0, 1, 4],
    isOpenStart: false,
    isOpenEnd: true,
  };
  const { container } = render(
    <RangeGraph
      histogram={histogram}
      label="Price"
      step={1000}
      min={2000}
      max={undefined}
      format={(value) => `$${value}`}
      onCommit={() => {}}
    />,
  );
  expect(
    screen.getByRole('img', { name: 'Price of the results: $0 to $4000 or more, most often $0 to $1000' }),
  ).toBeVisible();
  const paths = [...container.querySelectorAll('path')].map((path) => path.getAttribute('d'));
  expect(paths).toEqual(['M2.1 48v-24h.8v24M3.1 48v-48h.8v48', 'M0.1 48v-48h.8v48']);
});
