/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it, jest } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import type { Bounds } from './useBounds.ts';
import { RangeSliders } from './RangeSliders.tsx';

const move = (thumb: string, to: number, bounds: Bounds) => {
  const onCommit = jest.fn();
  render(
    <RangeSliders
      label="year"
      lowest={2022}
      highest={2027}
      step={1}
      {...bounds}
      format={String}
      onCommit={onCommit}
    />,
  );
  const slider = screen.getByRole('slider', { name: thumb });
  fireEvent.change(slider, { target: { value: String(to) } });
  fireEvent.keyUp(slider, { key: 'ArrowLeft' });
  return onCommit;
};

describe('range sliders', () => {
  it('keeps a bound outside the slider range when the other one is moved', () => {
    expect(move('Maximum year', 2026, { min: 2015, max: undefined })).toHaveBeenCalledWith({
      min: 2015,
      max: 2026,
    });
  });

  it('opens a bound that is moved to the end of the slider range', () => {
    expect(move('Minimum year', 2022, { min: 2024, max: 2026 })).toHaveBeenCalledWith({
      min: undefined,
      max: 2026,
    });
  });
});
