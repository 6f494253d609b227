/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { within } from '@testing-library/react';
import { dialog, mountLeads } from '../testing/mountLeads.tsx';

afterEach(() => {
  window.localStorage.clear();
  window.sessionStorage.clear();
});

describe('link that opens the sign-up', () => {
  // rows: A2-QP-35, A2-QP-36
  it('opens the sign-in dialog with sign-up first and returns to the URL that the link names', async () => {
    const criteria = {
      filters: {},
      sortBy: 'relevance' as const,
      firstRecord: 0,
      numRecords: 30,
      unknown: [],
    };
    mountLeads({
      search: { criteria: { ...criteria, defaultScreen: 'signup', refUrl: '/cars-for-sale/new' } },
    });
    const links = within(await dialog('Sign in'));
    expect((await links.findAllByRole('link')).map((link) => link.getAttribute('href'))).toEqual([
      '/account/sign-in?defaultScreen=signup&refUrl=%2Fcars-for-sale%2Fnew',
      '/account/sign-in?refUrl=%2Fcars-for-sale%2Fnew',
    ]);
  });
});
