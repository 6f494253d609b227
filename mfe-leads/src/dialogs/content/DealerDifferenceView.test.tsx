/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import { buildOwner } from '@forecourt/search/testing';
import type { RichText } from '@forecourt/upstream/richText';
import { dialog, mountLeads, refusal } from '../../testing/mountLeads.tsx';

const waitForContent = () => act(async () => new Promise((resolve) => setTimeout(resolve, 30)));

afterEach(() => window.sessionStorage.clear());

const SINCE_1954: RichText = [{ tag: 'p', children: ['Since 1954.'] }];

describe('dealer-difference dialog', () => {
  const owners = {
    d1: buildOwner({ dealerDiff: { tagline: 'Family owned', contentId: 'c1' } }),
  };
  const facts = {
    cta: { label: 'Visit us', offsite: true, link: 'https://dealer.example/' },
    logo: '/dealer.svg',
  };
  const requestDifference = (shell: ReturnType<typeof mountLeads>) =>
    shell.send('dialog.requested', { name: 'dealerDifference', ownerId: 'd1' });

  // rows: A2-UI-09, B7-DIFF-01, B3-OWNER-02
  it.each([
    [true, '_blank'],
    [false, null],
  ])(
    'shows the JSON and the HTML of the owner’s content, with its link offsite: %s',
    async (offsite, target) => {
      const shell = mountLeads({
        search: { owners },
        calls: {
          dealerDiff: () => ({ ...facts, cta: { ...facts.cta, offsite } }),
          dealerDiffHtml: () => [{ tag: 'p', children: ['Since ', { tag: 'em', children: ['1954'] }, '.'] }],
        },
      });
      requestDifference(shell);
      const openedDialog = await dialog('Why Lakeside Ford');
      expect(await within(openedDialog).findByText('1954')).toBeVisible();
      const link = within(openedDialog).getByRole('link', { name: 'Visit us' });
      expect(link).toHaveAttribute('href', 'https://dealer.example/');
      expect(link.getAttribute('target')).toBe(target);
      const logo = within(openedDialog).getByRole('img', { name: 'Lakeside Ford' });
      expect(logo).toHaveAttribute('src', '/dealer.svg');
      expect(shell.calls.map(({ name, params }) => [name, params])).toEqual(
        expect.arrayContaining([
          ['dealerDiff', { contentId: 'c1' }],
          ['dealerDiffHtml', { contentId: 'c1' }],
        ]),
      );
    },
  );

  it('does nothing, without an error, for an owner without such content', async () => {
    const shell = mountLeads({ search: { owners: { d1: buildOwner() } } });
    requestDifference(shell);
    // An unhandled rejection until then fails the test.
    await waitForContent();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(shell.calls).toEqual([]);
  });

  // rows: B7-DIFF-02
  it.each<[string, unknown, unknown]>([
    ['the JSON is missing', null, SINCE_1954],
    ['the HTML is missing', facts, null],
    ['the HTML is empty', facts, []],
    ['the JSON fails to load', refusal(502), SINCE_1954],
    ['the HTML fails to load', facts, refusal(502)],
  ])('shows neither content nor an error when %s, and the content once both load', async (_, json, html) => {
    const answer = (value: unknown) => (value instanceof Error ? Promise.reject(value) : value);
    const contents = [[json, html] as const, [facts, SINCE_1954] as const];
    let visit = 0;
    const shell = mountLeads({
      search: { owners },
      calls: {
        dealerDiff: () => answer(contents[visit]?.[0]),
        dealerDiffHtml: () => answer(contents[visit]?.[1]),
      },
    });
    requestDifference(shell);
    await waitForContent();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
    visit = 1;
    requestDifference(shell);
    expect(await within(await dialog('Why Lakeside Ford')).findByText('Since 1954.')).toBeVisible();
  });
});
