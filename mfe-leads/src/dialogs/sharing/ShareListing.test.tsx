/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { shareListingSchema } from '@forecourt/upstream/entities';
import { dialog, field, fillIn, mountLeads } from '../../testing/mountLeads.tsx';

afterEach(() => {
  jest.restoreAllMocks();
  window.localStorage.clear();
  window.sessionStorage.clear();
});

describe('share dialog', () => {
  const share = async (shell: ReturnType<typeof mountLeads>) => {
    shell.send('listing.shareRequested', { listingId: '1001' });
    return dialog('Share this vehicle');
  };

  // rows: A2-UI-07, A1-SCOPE-07, B2-MODAL-03
  it('opens the share dialog for the listing and copies its link to the clipboard', async () => {
    const user = userEvent.setup();
    const write = jest.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const openedDialog = await share(mountLeads());
    expect(await within(openedDialog).findByText('2021 Ford F-150 XLT')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Copy link' }));
    expect(await screen.findByText('Link copied')).toBeVisible();
    expect(write).toHaveBeenCalledWith('http://localhost/cars-for-sale/vehicle/1001');
    expect(screen.queryByRole('button', { name: 'Share…' })).toBeNull();
  });

  it("opens the device's share sheet when there is one", async () => {
    const sheet = jest.fn((_: ShareData) => Promise.resolve());
    Object.defineProperty(navigator, 'share', { value: sheet, configurable: true });
    try {
      await share(mountLeads());
      await userEvent.click(await screen.findByRole('button', { name: 'Share…' }));
      expect(sheet).toHaveBeenCalledWith({
        url: 'http://localhost/cars-for-sale/vehicle/1001',
        title: '2021 Ford F-150 XLT',
      });
    } finally {
      Reflect.deleteProperty(navigator, 'share');
    }
  });

  it('selects the link when the clipboard is not available', async () => {
    const user = userEvent.setup();
    jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('', 'NotAllowedError'));
    await share(mountLeads());
    await user.click(await screen.findByRole('button', { name: 'Copy link' }));
    expect(await screen.findByText(/Link selected/)).toBeVisible();
    const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Link' });
    expect(input.selectionEnd! - input.selectionStart!).toBe(input.value.length);
  });

  it('emails the link once for an account, keeps the recipient of a failed email, and clears the recipient after sending', async () => {
    let isUp = false;
    const shell = mountLeads({
      calls: { shareListing: () => (isUp ? null : { error: 'Request failed' }) },
      session: { signedIn: true, account: { firstName: 'Ada', email: 'ada@example.com' } },
    });
    await share(shell);
    await fillIn({ To: 'bob@example.com' });
    await userEvent.dblClick(screen.getByRole('button', { name: 'Send email' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('was not sent');
    expect(field(/^To/)).toHaveValue('bob@example.com');
    isUp = true;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Sent to bob@example.com.')).toBeVisible();
    const bodies = shell.bodiesOf('shareListing');
    expect(new Set(bodies.map((body) => body['idempotencyKey'])).size).toBe(1);
    expect(shareListingSchema.safeParse(bodies[0]).success).toBe(true);
    expect(bodies[0]).toMatchObject({ fromEmail: 'ada@example.com' });
    expect(field(/^To/)).toHaveValue('');
  });
});

describe('share dialog without an account', () => {
  // rows: A2-ROUTE-07
  it('offers the visitor’s own email program and signing in, and no form', async () => {
    const shell = mountLeads({ session: { signInPath: '/login' } });
    shell.send('listing.shareRequested', { listingId: '1001' });
    const opened = await dialog('Share this vehicle');
    const mail = await within(opened).findByRole('link', { name: 'Open your email app' });
    expect(mail).toHaveAttribute(
      'href',
      'mailto:?subject=2021%20Ford%20F-150%20XLT&body=http%3A%2F%2Flocalhost%2Fcars-for-sale%2Fvehicle%2F1001',
    );
    expect(within(opened).getByRole('link', { name: 'sign in' })).toHaveAttribute(
      'href',
      expect.stringMatching(/^\/login\?refUrl=/),
    );
    expect(within(opened).queryByRole('button', { name: 'Send email' })).toBeNull();
  });
});
