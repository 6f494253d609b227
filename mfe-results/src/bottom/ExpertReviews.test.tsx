/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { FLAGS } from '@forecourt/search/brands';
import { buildState } from '@forecourt/search/testing';
import type { CallParams } from '@forecourt/upstream/calls';
import { mountResults } from '../testing/mountResults.ts';
import { prepareViewport, scrollTo } from '../testing/viewport.ts';

beforeEach(prepareViewport);

describe('expert reviews', () => {
  const criteria = {
    ...buildState().search.criteria,
    filters: { makeCode: ['FORD'], modelCode: ['F150'], startYear: ['2021'], endYear: ['2021'] },
  };
  const review = (at: number) => ({
    title: `Review ${at}`,
    link: `https://valuation.example/${at}`,
    excerpt: 'Words',
  });
  const mountReviews = async (
    expertReviews: (params: CallParams) => unknown,
    flags: Readonly<Record<string, boolean>> = { ...FLAGS, ads: false },
  ) => {
    const shell = mountResults({ criteria, totalResultCount: 90 }, { flags }, { expertReviews });
    await shell.waitForLateParts();
    const block = shell.container.querySelector('[data-block=reviews]');
    if (block) await scrollTo(block);
    return shell;
  };

  // rows: B2-BOTTOM-06, B2-BOTTOM-07, B9-MISC-02, B7-EXPERT-03
  it('shows the first two articles, linked to the valuation site', async () => {
    const call = jest.fn((_: CallParams) => [1, 2, 3, 4, 5].map(review));
    await mountReviews(call);
    const block = within(screen.getByRole('region', { name: 'Expert reviews' }));
    expect(block.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      'https://valuation.example/1',
      'https://valuation.example/2',
    ]);
    for (const link of block.getAllByRole('link')) {
      expect(link).toHaveAttribute('target', '_blank');
      expect(link.getAttribute('rel')).toContain('noopener');
    }
    expect(call.mock.calls).toEqual([
      [{ year: '2021', make: 'FORD', model: 'F150', trim: 'all', _embed: 'true' }, undefined],
    ]);
  });

  it('links expert reviews to web pages only', async () => {
    await mountReviews(() => [{ ...review(1), link: 'javascript:alert(1)' }, review(2)]);
    expect(screen.getAllByRole('link', { name: /^Review/ })).toHaveLength(1);
  });

  it('reserves space for expert reviews before they load', async () => {
    const { container } = await mountReviews(() => new Promise(() => {}));
    expect(screen.getByRole('heading', { name: 'Expert reviews' })).toBeVisible();
    expect(container.querySelectorAll('[data-block=reviews] [data-placeholder]')).toHaveLength(2);
  });

  // rows: B7-EXPERT-03
  it.each([
    [
      'fails',
      () => {
        throw new Error('down');
      },
    ],
    ['finds none', () => []],
  ])('renders no expert reviews when the call %s', async (_, call: () => unknown) => {
    await mountReviews(call);
    expect(screen.queryByText('Expert reviews')).toBeNull();
  });

  // rows: B6-FLAG-08
  it('neither requests nor shows expert reviews when their flag is off', async () => {
    const call = jest.fn(() => [review(1)]);
    await mountReviews(call, { ...FLAGS, ads: false, expertReviews: false });
    expect(call).not.toHaveBeenCalled();
    expect(screen.queryByText('Expert reviews')).toBeNull();
  });
});
