/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { buildListing, buildOwner } from '@forecourt/search/testing';
import { emailOwnerSchema } from '@forecourt/upstream/entities';
import { ADA, dialog, field, fillIn, mountLeads, refusal } from '../../testing/mountLeads.tsx';

const HELLO = 'Hello, I am interested in the 2021 Ford F-150 XLT. Is it still available?';

const submit = () => screen.getByRole('button', { name: /^(Send|Sending…|Try again)$/ });

const openEmail = async (shell: ReturnType<typeof mountLeads>, listingId = '1001') => {
  shell.send('lead.requested', { listingId, kind: 'email' });
  const openedDialog = await dialog('Email the seller');
  await screen.findByRole('textbox', { name: 'First name' });
  return openedDialog;
};

afterEach(() => {
  jest.useRealTimers();
  window.localStorage.clear();
  window.sessionStorage.clear();
});

describe('email-the-seller dialog', () => {
  // rows: A2-UI-05, B2-MODAL-02, A4-EMAIL-04
  it('names the seller and shows the lead form of the listing', async () => {
    const shell = mountLeads();
    expect(screen.queryByRole('dialog')).toBeNull();
    const openedDialog = await openEmail(shell);
    expect(within(openedDialog).getByText('2021 Ford F-150 XLT')).toBeVisible();
    expect(within(openedDialog).getByText('Lakeside Ford')).toBeVisible();
    expect(field(/^Message/)).toHaveValue(HELLO);
    expect(screen.queryByText(/details are missing/)).toBeNull();
    expect(shell.bodiesOf('emailOwner')).toEqual([]);
  });

  // rows: A7-OTHER-03, A4-EMAIL-03
  it('sends the form fields, confirms it and reports the lead', async () => {
    const shell = mountLeads();
    await openEmail(shell);
    await fillIn({ ...ADA, Phone: '(312) 555-0199' });
    await userEvent.click(submit());
    const message = await screen.findByText('Your message was sent to Lakeside Ford.');
    await waitFor(() => expect(message).toHaveFocus());
    const [body] = shell.bodiesOf('emailOwner');
    expect(body).toEqual({
      listingId: '1001',
      ownerId: 'd1',
      comments: HELLO,
      firstName: 'Ada',
      lastName: 'Byron',
      fromEmailAddress: 'ada@example.com',
      phoneNumber: '(312) 555-0199',
      idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(emailOwnerSchema.safeParse(body).success).toBe(true);
    expect(shell.eventsOf('lead.sent')).toEqual([{ listingId: '1001' }]);
    expect(shell.store.getState().session.contactedListingIds).toEqual(['1001']);
    await userEvent.click(screen.getByRole('button', { name: 'Done' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  // rows: A4-EMAIL-03
  it('does not mark the listing as contacted when the response is not a success', async () => {
    const shell = mountLeads({ calls: { emailOwner: () => ({ status: 'FAILURE' }) } });
    await openEmail(shell);
    await fillIn(ADA);
    await userEvent.click(submit());
    await screen.findByRole('alert');
    expect(shell.store.getState().session.contactedListingIds).toEqual([]);
  });

  it('shows each error beside its field, focuses the first invalid field and sends nothing', async () => {
    const shell = mountLeads();
    await openEmail(shell);
    await fillIn({ Email: 'ada@', Phone: '555' });
    await userEvent.click(submit());
    await waitFor(() => expect(field('First name')).toHaveFocus());
    expect(field('First name')).toBeInvalid();
    expect(field('First name')).toHaveAccessibleDescription('Enter your first name');
    expect(field('Last name')).toHaveAccessibleDescription('Enter your last name');
    expect(field('Email')).toHaveAccessibleDescription('Enter a valid email address');
    expect(field(/^Phone/)).toHaveAccessibleDescription('Enter a 10-digit phone number');
    expect(field(/^Message/)).toBeValid();
    expect(shell.bodiesOf('emailOwner')).toEqual([]);
    await fillIn({ 'First name': 'Ada' });
    await waitFor(() => expect(field('First name')).toBeValid());
    expect(field('Last name')).toBeInvalid();
  });

  it('sends an email once for a double click', async () => {
    const shell = mountLeads();
    await openEmail(shell);
    await fillIn(ADA);
    await userEvent.dblClick(submit());
    await screen.findByText(/was sent to/);
    expect(shell.bodiesOf('emailOwner')).toHaveLength(1);
  });

  it.each<[string, () => unknown]>([
    ['the upstream was not reached', () => ({ status: 'FAILURE' })],
    ['there is no network', () => Promise.reject(refusal(0))],
  ])('keeps the text and offers a retry when %s', async (_, fail) => {
    let isUp = false;
    const shell = mountLeads({ calls: { emailOwner: () => (isUp ? { status: 'SUCCESS' } : fail()) } });
    await openEmail(shell);
    await fillIn(ADA);
    await userEvent.click(submit());
    expect(await screen.findByRole('alert')).toHaveTextContent(/was not sent\. Nothing you typed was lost/);
    expect(field('First name')).toHaveValue('Ada');
    isUp = true;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText(/was sent to/);
    const [first, second] = shell.bodiesOf('emailOwner');
    expect(second!['idempotencyKey']).toBe(first!['idempotencyKey']);
    expect(window.localStorage.getItem('leadOutbox')).toBe('[]');
  });

  it('does not queue a message that the upstream refuses', async () => {
    const shell = mountLeads({ calls: { emailOwner: () => Promise.reject(refusal(404)) } });
    await openEmail(shell);
    await fillIn(ADA);
    await userEvent.click(submit());
    expect(await screen.findByRole('alert')).toHaveTextContent(
      /was not accepted: the vehicle may no longer be for sale\./,
    );
    expect(window.localStorage.getItem('leadOutbox')).toBe('[]');
  });

  it('treats edited text after a failure as a new message and discards the old one', async () => {
    const shell = mountLeads({ calls: { emailOwner: () => ({ status: 'FAILURE' }) } });
    await openEmail(shell);
    await fillIn(ADA);
    await userEvent.click(submit());
    await screen.findByRole('alert');
    await fillIn({ 'Last name': 'Lovelace' });
    await userEvent.click(submit());
    await waitFor(() => expect(shell.bodiesOf('emailOwner')).toHaveLength(2));
    const [first, second] = shell.bodiesOf('emailOwner');
    expect(second!['idempotencyKey']).not.toBe(first!['idempotencyKey']);
    const queuedLeads = JSON.parse(window.localStorage.getItem('leadOutbox')!) as { id: string }[];
    expect(queuedLeads.map(({ id }) => id)).toEqual([second!['idempotencyKey']]);
  });

  it('keeps a failed message queued while the edited form is invalid', async () => {
    const shell = mountLeads({ calls: { emailOwner: () => ({ status: 'FAILURE' }) } });
    await openEmail(shell);
    await fillIn(ADA);
    await userEvent.click(submit());
    expect(await screen.findByRole('alert')).toHaveTextContent(/send it as soon as we can/);
    await fillIn({ Phone: '12' });
    await userEvent.click(submit());
    await waitFor(() => expect(field(/^Phone/)).toBeInvalid());
    const queuedLeads = JSON.parse(window.localStorage.getItem('leadOutbox')!) as { id: string }[];
    expect(queuedLeads.map(({ id }) => id)).toEqual([shell.bodiesOf('emailOwner')[0]!['idempotencyKey']]);
  });

  it('reuses the idempotency key when a failed message is closed, reopened and sent again', async () => {
    const shell = mountLeads({ calls: { emailOwner: () => ({ status: 'FAILURE' }) } });
    await openEmail(shell);
    await fillIn(ADA);
    await userEvent.click(submit());
    await screen.findByRole('alert');
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    await openEmail(shell);
    await userEvent.click(submit());
    await waitFor(() => expect(shell.bodiesOf('emailOwner')).toHaveLength(2));
    const keys = shell.bodiesOf('emailOwner').map((body) => body['idempotencyKey']);
    expect(new Set(keys).size).toBe(1);
  });

  it('restores the text when the form is reopened, and the message text only for its listing', async () => {
    const shell = mountLeads({
      search: { listings: [buildListing(), buildListing({ id: '1003', title: 'A Kia' })] },
    });
    await openEmail(shell);
    await fillIn({ 'First name': 'Ada' });
    await userEvent.type(field(/^Message/), ' Thanks!');
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    await openEmail(shell, '1003');
    expect(field('First name')).toHaveValue('Ada');
    expect(field(/^Message/)).toHaveValue('Hello, I am interested in the A Kia. Is it still available?');
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    shell.unmount();
    // Simulates a reload of the tab.
    await openEmail(mountLeads());
    expect(field(/^Message/)).toHaveValue(`${HELLO} Thanks!`);
  });

  it('shows a toast with the outcome when the dialog was closed while sending', async () => {
    let finish: (response: unknown) => void = () => {};
    const shell = mountLeads({ calls: { emailOwner: () => new Promise((resolve) => (finish = resolve)) } });
    await openEmail(shell);
    await fillIn(ADA);
    await userEvent.click(submit());
    await screen.findByRole('button', { name: 'Sending…' });
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    await act(async () => finish({ status: 'SUCCESS' }));
    expect(screen.getByText('Your message to Lakeside Ford was sent.')).toBeVisible();
    expect(shell.eventsOf('lead.sent')).toHaveLength(1);
  });

  it('loads a vehicle that is not in the results, and links to its page when it is gone', async () => {
    const vehicle = { listing: buildListing({ id: '77', title: 'A similar car' }), owner: buildOwner() };
    const shell = mountLeads({ calls: { vehicle: (_, { id }) => (id === '77' ? vehicle : null) } });
    await openEmail(shell, '77');
    expect(screen.getByText('A similar car')).toBeVisible();
    shell.send('lead.requested', { listingId: '9999', kind: 'email' });
    expect(await screen.findByRole('link', { name: /vehicle’s page/ })).toHaveAttribute(
      'href',
      '/cars-for-sale/vehicle/9999?clickType=listing',
    );
  });

  it('offers a phone call when the seller accepts no email', async () => {
    const shell = mountLeads({ search: { owners: { d1: buildOwner({ hideEmailForm: true }) } } });
    shell.send('lead.requested', { listingId: '1001', kind: 'email' });
    expect(await within(await dialog('Call the seller')).findByRole('link')).toHaveAttribute(
      'href',
      'tel:+13125550100',
    );
  });
});
