/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { searchStarted } from '@forecourt/search/state';
import { buildState, mountInTestShell } from '@forecourt/search/testing';
import { act, screen, within } from '@testing-library/react';
import related from './related.tsx';

const crawlPaths = [
  { label: 'Ford', href: '/cars-for-sale/all/ford' },
  { label: 'BMW', href: '/cars-for-sale/all/bmw' },
];

describe('related searches', () => {
  it('renders links in a labeled navigation', () => {
    mountInTestShell(related, { state: buildState({ crawlPaths }) });
    const links = within(screen.getByRole('navigation', { name: 'Related searches' })).getAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Ford', '/cars-for-sale/all/ford'],
      ['BMW', '/cars-for-sale/all/bmw'],
    ]);
  });

  // rows: B4-PANEL-05
  it('disappears while a changed search is loading', () => {
    const state = buildState({ crawlPaths });
    const { store } = mountInTestShell(related, { state });
    act(() => {
      store.dispatch(searchStarted({ requestId: 'r2', criteria: state.search.criteria, url: '/x' }));
    });
    expect(screen.queryByRole('navigation')).toBeNull();
  });

  it('renders nothing without paths', () => {
    mountInTestShell(related, { state: buildState({ crawlPaths: [] }) });
    expect(screen.queryByRole('navigation')).toBeNull();
  });
});
