/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { buildState } from '@forecourt/search/testing';
import { ADA, dialog, field, fillIn, mountLeads } from '../../testing/mountLeads.tsx';
import { selectIsContacted, UNDO_MS } from './useEmailSeller.ts';

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

describe('one-click email', () => {
  const profile = {
    firstName: 'Ada',
    lastName: 'Byron',
    email: 'ada@example.com',
    phone: '',
    isOneClickOptedIn: true,
  };
  const withProfile = (overrides: object) => ({
    leadCandidates: () => ({ candidates: [], profile: { ...profile, ...overrides } }),
  });
  const click = (shell: ReturnType<typeof mountLeads>) =>
    shell.send('lead.requested', { listingId: '1001', kind: 'email' });

  /** Waits for the offer to undo, and leaves the page, which sends without further delay. */
  const leaveUndo = async () => {
    await screen.findByText('Your message to Lakeside Ford will be sent in 5 seconds.');
    act(() => void window.dispatchEvent(new Event('pagehide')));
  };

  // rows: A4-EMAIL-01, A4-EMAIL-02, A4-EMAIL-03, A3-LEAD-01, A3-LEAD-02, A7-OTHER-02, A1-SCOPE-09
  it('sends a one-click email without a dialog when the visitor opted in and the profile is complete', async () => {
    const shell = mountLeads({ calls: withProfile({ phone: '312-555-0100' }) });
    click(shell);
    await leaveUndo();
    expect(await screen.findByText('Your message to Lakeside Ford was sent.')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
    const [body] = shell.bodiesOf('emailOwner');
    expect(body).toEqual({
      listingId: '1001',
      ownerId: 'd1',
      comments: 'Please confirm vehicle availability.',
      firstName: 'Ada',
      lastName: 'Byron',
      fromEmailAddress: 'ada@example.com',
      phoneNumber: '312-555-0100',
      idempotencyKey: expect.any(String),
    });
    expect(shell.store.getState().session.contactedListingIds).toEqual(['1001']);
  });

  it('sends a one-click email once for a double click, and not again to a contacted seller', async () => {
    const shell = mountLeads({ calls: withProfile({}) });
    click(shell);
    click(shell);
    await leaveUndo();
    await screen.findByText('Your message to Lakeside Ford was sent.');
    click(shell);
    await screen.findByText('You’ve already emailed Lakeside Ford.');
    expect(shell.bodiesOf('emailOwner')).toHaveLength(1);
  });

  it('sends after five seconds, and nothing when undone within them', async () => {
    const shell = mountLeads({ calls: withProfile({}) });
    click(shell);
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Your message to Lakeside Ford was not sent.')).toBeVisible();
    act(() => void window.dispatchEvent(new Event('pagehide')));
    expect(shell.bodiesOf('emailOwner')).toEqual([]);
    expect(screen.queryByRole('dialog')).toBeNull();
    click(shell);
    await screen.findByRole('button', { name: 'Undo' });
    expect(shell.bodiesOf('emailOwner')).toEqual([]);
    await waitFor(() => expect(shell.bodiesOf('emailOwner')).toHaveLength(1), { timeout: UNDO_MS + 2_000 });
  }, 15_000);

  it('tells the cards whether a click sends at once', async () => {
    const shell = mountLeads({ calls: withProfile({}) });
    click(shell);
    await leaveUndo();
    expect(shell.store.getState().session.emailsInOneClick).toBe(true);
    const other = mountLeads({ session: { emailsInOneClick: true } });
    click(other);
    await waitFor(() => expect(other.store.getState().session.emailsInOneClick).toBe(false));
  });

  // rows: A4-EMAIL-04
  it('opens the prefilled form and sends nothing when the profile is complete but the visitor did not opt in', async () => {
    const shell = mountLeads({ calls: withProfile({ isOneClickOptedIn: false }) });
    click(shell);
    await dialog('Email the seller');
    expect(await screen.findByRole('textbox', { name: 'First name' })).toHaveValue('Ada');
    expect(screen.queryByText(/details are missing/)).toBeNull();
    expect(shell.bodiesOf('emailOwner')).toEqual([]);
  });

  // rows: A4-EMAIL-05, A2-UI-06
  it.each([['firstName'], ['lastName'], ['email']])(
    'asks for missing details when there is no %s, and saves them',
    async (missing) => {
      const shell = mountLeads({ calls: withProfile({ [missing]: '' }) });
      click(shell);
      await dialog('Complete your details');
      expect(await screen.findByText(/^Some of your details are missing\./)).toBeVisible();
      await fillIn(ADA);
      expect(field(/^Message/)).toHaveValue('Please confirm vehicle availability.');
      await userEvent.click(submit());
      await screen.findByText(/was sent to/);
      await waitFor(() => expect(shell.bodiesOf('saveLeadProfile')).toEqual([profile]));
    },
  );

  // rows: A4-EMAIL-03
  it('opens the prefilled form when a one-click email fails, and reuses its idempotency key', async () => {
    let isUp = false;
    const shell = mountLeads({
      calls: { ...withProfile({}), emailOwner: () => ({ status: isUp ? 'SUCCESS' : 'FAILURE' }) },
    });
    click(shell);
    await leaveUndo();
    await dialog('Email the seller');
    expect(await screen.findByRole('textbox', { name: 'First name' })).toHaveValue('Ada');
    expect(shell.eventsOf('lead.sent')).toEqual([]);
    isUp = true;
    await userEvent.click(submit());
    await screen.findByText(/was sent to/);
    const keys = shell.bodiesOf('emailOwner').map((body) => body['idempotencyKey']);
    expect(new Set(keys).size).toBe(1);
  });

  it('opts into one-click email in the form', async () => {
    const shell = mountLeads();
    await openEmail(shell);
    await fillIn(ADA);
    await userEvent.click(screen.getByRole('checkbox', { name: /one click/ }));
    await userEvent.click(submit());
    await screen.findByText(/was sent to/);
    await waitFor(() => expect(shell.bodiesOf('saveLeadProfile')).toEqual([profile]));
    await waitFor(() => expect(shell.store.getState().session.emailsInOneClick).toBe(true));
  });

  it('opens the form without a profile that takes too long to load', async () => {
    const shell = mountLeads({ calls: { leadCandidates: () => new Promise(() => {}) } });
    click(shell);
    expect(await screen.findByRole('dialog', { name: 'Email the seller' }, { timeout: 3000 })).toBeVisible();
  });
});

it('knows which listings the visitor has contacted', () => {
  const state = buildState({}, { contactedListingIds: ['7'] });
  expect(selectIsContacted('7')(state)).toBe(true);
  expect(selectIsContacted('8')(state)).toBe(false);
});
