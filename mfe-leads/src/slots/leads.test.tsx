/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { emailOwnerSchema, type EmailOwner } from '@forecourt/shared-contracts/entities';
import type { SearchState } from '@forecourt/shared-contracts/store';
import { buildListing, buildOwner, buildState, mountInTestShell } from '@forecourt/shared-contracts/testing';
import leads from './leads.tsx';

type Answer = { status: 'SUCCESS' | 'FAILURE' };

function mount(answer: (body: EmailOwner) => Answer | Promise<Answer> = () => ({ status: 'SUCCESS' })) {
  const sent: EmailOwner[] = [];
  const search: Partial<SearchState> = {
    listings: [
      buildListing(),
      buildListing({ id: '1002', title: '2019 Honda Civic EX', ownerId: 'p1', phone: undefined }),
    ],
    owners: { d1: buildOwner(), p1: buildOwner({ id: 'p1', name: 'Private Seller', phone: undefined }) },
  };
  const shell = mountInTestShell(leads, {
    state: buildState(search),
    calls: {
      emailOwner: (_, body) => {
        sent.push(body as EmailOwner);
        return answer(body as EmailOwner);
      },
    },
  });
  const ask = (kind: 'email' | 'offer' | 'call', listingId = '1001') =>
    act(() => shell.bus.emit('lead.requested', { listingId, kind }, 'results'));
  return { ...shell, sent, ask };
}

const field = (name: string | RegExp) => screen.getByRole('textbox', { name });
const send = () => screen.getByRole('button', { name: /^(Send|Sending…|Try again)$/ });

async function fillIn(): Promise<void> {
  await userEvent.type(field('First name'), 'Ada');
  await userEvent.type(field('Last name'), 'Byron');
  await userEvent.type(field('Email'), 'ada@example.com');
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the email-the-seller dialog', () => {
  it('opens with the lead form of the listing that was asked for [A2-UI-04]', () => {
    const { ask } = mount();
    expect(screen.queryByRole('dialog')).toBeNull();
    ask('email');
    const dialog = screen.getByRole('dialog', { name: 'Email the seller' });
    expect(within(dialog).getByText('2021 Ford F-150 XLT')).toBeVisible();
    expect(field(/^Message/)).toHaveValue(
      'Hello, I am interested in the 2021 Ford F-150 XLT. Is it still available?',
    );
  });

  it('sends the form, says so and reports the lead', async () => {
    const { ask, sent, events } = mount();
    ask('email');
    await fillIn();
    await userEvent.type(field(/^Phone/), '(312) 555-0199');
    await userEvent.click(send());
    const message = await screen.findByText('Your message was sent to Lakeside Ford.');
    await waitFor(() => expect(message).toHaveFocus());
    expect(sent).toEqual([
      {
        listingId: '1001',
        ownerId: 'd1',
        comments: 'Hello, I am interested in the 2021 Ford F-150 XLT. Is it still available?',
        firstName: 'Ada',
        lastName: 'Byron',
        fromEmailAddress: 'ada@example.com',
        phoneNumber: '(312) 555-0199',
        idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    ]);
    expect(emailOwnerSchema.safeParse(sent[0]).success).toBe(true);
    expect(events.filter(({ type }) => type === 'lead.sent').map(({ payload }) => payload)).toEqual([
      { listingId: '1001' },
    ]);
    await userEvent.click(screen.getByRole('button', { name: 'Done' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('names each error beside its field, goes to the first and sends nothing', async () => {
    const { ask, sent } = mount();
    ask('email');
    await userEvent.type(field('Email'), 'ada@');
    await userEvent.type(field(/^Phone/), '555');
    await userEvent.click(send());
    await waitFor(() => expect(field('First name')).toHaveFocus());
    expect(field('First name')).toBeInvalid();
    expect(field('First name')).toHaveAccessibleDescription('Enter your first name');
    expect(field('Last name')).toHaveAccessibleDescription('Enter your last name');
    expect(field('Email')).toHaveAccessibleDescription('Enter a valid email address');
    expect(field(/^Phone/)).toHaveAccessibleDescription('Enter a 10-digit phone number');
    expect(field(/^Message/)).toBeValid();
    expect(sent).toEqual([]);
  });

  it('takes an error away as soon as its field is right', async () => {
    const { ask } = mount();
    ask('email');
    await userEvent.click(send());
    await waitFor(() => expect(field('First name')).toBeInvalid());
    await userEvent.type(field('First name'), 'Ada');
    await waitFor(() => expect(field('First name')).toBeValid());
    expect(field('Last name')).toBeInvalid();
  });

  it('sends once for a double click', async () => {
    const { ask, sent } = mount();
    ask('email');
    await fillIn();
    await userEvent.dblClick(send());
    await screen.findByText(/was sent/);
    expect(sent).toHaveLength(1);
  });

  it.each<[string, () => Answer | Promise<Answer>]>([
    ['the seller was not reached', () => ({ status: 'FAILURE' })],
    ['the call fails', () => Promise.reject(new Error('offline'))],
  ])('keeps what was typed and offers to try again when %s', async (_, fail) => {
    let isUp = false;
    const { ask, sent, events } = mount(() => (isUp ? { status: 'SUCCESS' } : fail()));
    ask('email');
    await fillIn();
    await userEvent.click(send());
    expect(await screen.findByRole('alert')).toHaveTextContent('Your message was not sent.');
    expect(field('First name')).toHaveValue('Ada');
    expect(events.some(({ type }) => type === 'lead.sent')).toBe(false);
    isUp = true;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText(/was sent to/);
    expect(sent).toHaveLength(2);
    expect(sent[1]!.idempotencyKey).toBe(sent[0]!.idempotencyKey);
  });

  it('treats changed words after a failure as a new message', async () => {
    const { ask, sent } = mount(() => ({ status: 'FAILURE' }));
    ask('email');
    await fillIn();
    await userEvent.click(send());
    await screen.findByRole('alert');
    await userEvent.type(field('Last name'), 'x');
    await userEvent.click(send());
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]!.idempotencyKey).not.toBe(sent[0]!.idempotencyKey);
  });

  it('keeps what was typed when it is closed and opened again, the message for its listing only', async () => {
    const { ask } = mount();
    ask('email');
    await fillIn();
    await userEvent.type(field(/^Message/), ' Thanks!');
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    ask('email', '1002');
    expect(field('First name')).toHaveValue('Ada');
    expect(field(/^Message/)).toHaveValue(
      'Hello, I am interested in the 2019 Honda Civic EX. Is it still available?',
    );
    ask('email', '1001');
    expect(field(/^Message/)).toHaveValue(
      'Hello, I am interested in the 2021 Ford F-150 XLT. Is it still available? Thanks!',
    );
  });

  it('tells the page how a sending ended whose dialog was closed meanwhile', async () => {
    let finish: (answer: Answer) => void = () => {};
    const { ask, events } = mount(() => new Promise<Answer>((resolve) => (finish = resolve)));
    ask('email');
    await fillIn();
    await userEvent.click(send());
    await screen.findByRole('button', { name: 'Sending…' });
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    await act(async () => finish({ status: 'SUCCESS' }));
    expect(events.map(({ type }) => type)).toEqual(['lead.requested', 'lead.sent', 'page.announced']);
  });

  it('asks private sellers with an offer of its own words', () => {
    const { ask } = mount();
    ask('offer', '1002');
    expect(screen.getByRole('dialog', { name: 'Make an offer' })).toBeVisible();
    expect(field(/^Message/)).toHaveValue(
      'Hello, I would like to make an offer for your 2019 Honda Civic EX. Is it still for sale?',
    );
  });

  it('leads to the vehicle itself when a newer search has taken it off the page', () => {
    const { ask } = mount();
    ask('email', '9999');
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.getByRole('link', { name: /own page/ })).toHaveAttribute(
      'href',
      '/cars-for-sale/vehicle/9999?clickType=listing',
    );
  });
});

describe('the call dialog', () => {
  it('shows the number as a link that dials it', () => {
    const { ask } = mount();
    ask('call');
    expect(within(screen.getByRole('dialog', { name: 'Call the seller' })).getByRole('link')).toHaveAttribute(
      'href',
      'tel:+13125550100',
    );
  });

  it('says so when there is no number', () => {
    const { ask } = mount();
    ask('call', '1002');
    expect(screen.getByText('This seller has not given a phone number.')).toBeVisible();
  });
});

describe('the share dialog', () => {
  const share = (shell: ReturnType<typeof mount>) =>
    act(() => shell.bus.emit('listing.shareRequested', { listingId: '1001' }, 'results'));

  it('opens for the listing and copies its link [A2-UI-07]', async () => {
    const user = userEvent.setup();
    const write = jest.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const shell = mount();
    share(shell);
    const dialog = screen.getByRole('dialog', { name: 'Share this vehicle' });
    expect(within(dialog).getByText('2021 Ford F-150 XLT')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Copy link' }));
    expect(await screen.findByText('Link copied')).toBeVisible();
    expect(write).toHaveBeenCalledWith('http://localhost/cars-for-sale/vehicle/1001');
    expect(screen.queryByRole('button', { name: 'Share…' })).toBeNull();
  });

  it("hands the link to the device's share sheet where there is one", async () => {
    const sheet = jest.fn((_: ShareData) => Promise.resolve());
    Object.defineProperty(navigator, 'share', { value: sheet, configurable: true });
    try {
      const shell = mount();
      share(shell);
      await userEvent.click(screen.getByRole('button', { name: 'Share…' }));
      expect(sheet).toHaveBeenCalledWith({
        url: 'http://localhost/cars-for-sale/vehicle/1001',
        title: '2021 Ford F-150 XLT',
      });
    } finally {
      Reflect.deleteProperty(navigator, 'share');
    }
  });

  it('selects the link where the clipboard is closed', async () => {
    const user = userEvent.setup();
    jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('', 'NotAllowedError'));
    const shell = mount();
    share(shell);
    await user.click(screen.getByRole('button', { name: 'Copy link' }));
    expect(await screen.findByText(/The link is selected/)).toBeVisible();
    const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Link' });
    expect(input.selectionEnd! - input.selectionStart!).toBe(input.value.length);
  });
});
