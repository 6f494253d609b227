/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { dialog, mountLeads } from '../../testing/mountLeads.tsx';

afterEach(() => {
  jest.restoreAllMocks();
  window.localStorage.clear();
  window.sessionStorage.clear();
});

describe('call dialog', () => {
  it('shows the number as a tel link, or says that there is none', async () => {
    const shell = mountLeads();
    shell.send('lead.requested', { listingId: '1001', kind: 'call' });
    expect(await within(await dialog('Call the seller')).findByRole('link')).toHaveAttribute(
      'href',
      'tel:+13125550100',
    );
    shell.send('lead.requested', { listingId: '1002', kind: 'call' });
    expect(await screen.findByText('This seller hasn’t provided a phone number.')).toBeVisible();
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
  });
});
