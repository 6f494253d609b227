/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { dialog, mountLeads } from '../../testing/mountLeads.tsx';

afterEach(() => window.sessionStorage.clear());

describe('electric-vehicles dialog', () => {
  // rows: B2-MODAL-10
  it('explains the four electric vehicle types and is replaced by the next dialog', async () => {
    const shell = mountLeads();
    shell.send('dialog.requested', { name: 'electricVehicles' });
    const openedDialog = await dialog('Electric vehicle types');
    for (const kind of ['BEV', 'PHEV', 'HEV', 'FCEV'])
      expect(await within(openedDialog).findByText(kind)).toBeVisible();
    const definitions = within(openedDialog).getAllByRole('definition');
    expect(definitions.filter(({ textContent }) => textContent !== '')).toHaveLength(3 * 4);
    // Text only, so the dialog itself must be focusable to be scrolled by keyboard.
    expect(within(openedDialog).getByRole('group', { name: 'Electric vehicle types' })).toHaveAttribute(
      'tabindex',
      '0',
    );
    shell.send('listing.shareRequested', { listingId: '1001' });
    await dialog('Share this vehicle');
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
