/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { formatDollars } from '@forecourt/search/format';
import { RangeSliders, type RangeSlidersProps } from './RangeSliders.tsx';

const textsOf = (props: Partial<RangeSlidersProps>) => {
  const { unmount } = render(
    <RangeSliders
      label="price"
      lowest={5_000}
      highest={120_000}
      step={5_000}
      min={undefined}
      max={undefined}
      format={formatDollars}
      onCommit={() => {}}
      {...props}
    />,
  );
  const texts = screen.getAllByRole('slider').map((slider) => slider.getAttribute('aria-valuetext'));
  unmount();
  return texts;
};

describe('the sliders of a range', () => {
  it('say that their ends are open when there are values beyond them', () => {
    expect(textsOf({})).toEqual(['$5,000', '$120,000']);
    expect(textsOf({ isOpenStart: true, isOpenEnd: true })).toEqual(['$5,000 or less', '$120,000+']);
  });

  it('say a chosen bound as it is', () => {
    expect(textsOf({ isOpenEnd: true, min: 10_000, max: 500_000 })).toEqual(['$10,000', '$500,000']);
  });
});
