/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { reportListingSchema } from '@forecourt/upstream/entities';
import { dialog, field, fillIn, mountLeads, refusal } from '../../testing/mountLeads.tsx';

afterEach(() => {
  jest.restoreAllMocks();
  window.localStorage.clear();
  window.sessionStorage.clear();
});

describe('report dialog', () => {
  const report = async (shell: ReturnType<typeof mountLeads>) => {
    shell.send('listing.reportRequested', { listingId: '1001' });
    return dialog('Report this vehicle');
  };

  // rows: A2-UI-08, A1-SCOPE-08, B2-MODAL-04
  it("sends a report's reason and comments for the listing", async () => {
    const shell = mountLeads();
    const openedDialog = await report(shell);
    await userEvent.selectOptions(
      await within(openedDialog).findByRole('combobox', { name: /wrong/ }),
      'SCAM',
    );
    await fillIn({ 'Tell us more': 'Too cheap' });
    await userEvent.click(screen.getByRole('button', { name: 'Send report' }));
    expect(await screen.findByText(/Thanks\. We review every report/)).toBeVisible();
    const [body] = shell.bodiesOf('reportListing');
    expect(body).toMatchObject({ listingId: '1001', reason: 'SCAM', comments: 'Too cheap', email: '' });
    expect(reportListingSchema.safeParse(body).success).toBe(true);
  });

  it('requires a reason for a report, and validates an email only when there is one', async () => {
    const shell = mountLeads();
    const openedDialog = await report(shell);
    await fillIn({ 'Your email': 'ada@' });
    await userEvent.click(screen.getByRole('button', { name: 'Send report' }));
    const reason = within(openedDialog).getByRole('combobox');
    await waitFor(() => expect(reason).toHaveFocus());
    expect(reason).toHaveAccessibleDescription('Choose a reason');
    expect(within(reason).queryByRole('option', { name: '' })).toBeNull();
    expect(field(/^Your email/)).toHaveAccessibleDescription(/Enter a valid email address/);
    expect(shell.bodiesOf('reportListing')).toEqual([]);
  });

  it("restores a report's text when it is reopened, and clears it after it was sent", async () => {
    const shell = mountLeads();
    await report(shell);
    await fillIn({ 'Tell us more': 'Too cheap' });
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    const again = await report(shell);
    expect(await within(again).findByRole('textbox', { name: /^Tell us more/ })).toHaveValue('Too cheap');
    await userEvent.selectOptions(within(again).getByRole('combobox'), 'SCAM');
    await userEvent.click(screen.getByRole('button', { name: 'Send report' }));
    await screen.findByText(/We review every report/);
    await userEvent.click(screen.getByRole('button', { name: 'Done' }));
    const third = await report(shell);
    expect(await within(third).findByRole('textbox', { name: /^Tell us more/ })).toHaveValue('');
  });

  it('queues a report while the upstream is down', async () => {
    const shell = mountLeads({ calls: { reportListing: () => Promise.reject(refusal(502)) } });
    const openedDialog = await report(shell);
    await userEvent.selectOptions(await within(openedDialog).findByRole('combobox'), 'SOLD');
    await userEvent.click(screen.getByRole('button', { name: 'Send report' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(/send it as soon as we can/);
    expect(window.localStorage.getItem('leadOutbox')).toContain('SOLD');
  });

  it('announces a report that was sent later and does not mark the listing as contacted', async () => {
    let isUp = false;
    const shell = mountLeads({
      calls: { reportListing: () => (isUp ? null : Promise.reject(refusal(502))) },
    });
    const openedDialog = await report(shell);
    await userEvent.selectOptions(await within(openedDialog).findByRole('combobox'), 'SOLD');
    await userEvent.click(screen.getByRole('button', { name: 'Send report' }));
    await screen.findByRole('alert');
    isUp = true;
    act(() => void window.dispatchEvent(new Event('online')));
    expect(await screen.findByText('Your report was sent.')).toBeVisible();
    expect(screen.getByText(/We review every report/)).toHaveFocus();
    expect(shell.eventsOf('lead.sent')).toEqual([]);
  });
});
