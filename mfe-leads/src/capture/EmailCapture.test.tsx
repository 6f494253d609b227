/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FLAGS } from '@forecourt/search/brands';
import type { SessionState } from '@forecourt/search/state';
import { recentSearchesStorage } from '@forecourt/search/storage';
import { buildState, mountInTestShell } from '@forecourt/search/testing';
import { CALLS } from '@forecourt/upstream/calls';
import { emailCaptureSchema } from '@forecourt/upstream/entities';
import emailCapture from '../slots/email-capture.tsx';
import { refusal } from '../testing/mountLeads.tsx';

const URL = '/cars-for-sale/all/ford?zip=60601';

/** Title of the search as displayed. */
const SEARCH = 'Used Ford in Chicago, IL';

const LIMIT = 'You have a maximum of 2 searches saved.';

const address = () => screen.getByRole('textbox', { name: 'Email address' });

/** A valid address of a given length; when truncated it is still a valid address. */
const addressOf = (length: number) => `ada@${'a'.repeat(length - 'ada@.example'.length)}.example`;

const subscribe = () => screen.getByRole('button', { name: /^Subscribed?!?$/ });

type Respond = (body: Readonly<Record<string, unknown>>) => unknown;

function mount(
  options: {
    capture?: Respond;
    alert?: Respond;
    session?: Partial<SessionState>;
    title?: string;
    url?: string;
  } = {},
) {
  const sentCalls: { name: string; body: Readonly<Record<string, unknown>> }[] = [];
  const recording = (name: string, respond: Respond) => (_: unknown, body: unknown) => {
    sentCalls.push({ name, body: body as Readonly<Record<string, unknown>> });
    return respond(body as Readonly<Record<string, unknown>>);
  };
  const saveSearchData = { saveSearchString: 'Ford', subscribed: false, title: options.title };
  const shell = mountInTestShell(emailCapture, {
    state: buildState(
      {
        url: options.url ?? URL,
        pageData: { suggestedModels: [], saveSearchData },
        texts: { heading: SEARCH, title: '', description: '', canonicalUrl: '' },
      },
      { flags: FLAGS, signInPath: '/login', ...options.session },
    ),
    calls: {
      emailCapture: recording('emailCapture', options.capture ?? (() => ({ status: 'success' }))),
      subscribeAlert: recording('subscribeAlert', options.alert ?? (() => ({ subscribed: true }))),
    },
  });
  const problems = () =>
    shell.events.filter(({ type }) => type === 'problem.reported').map(({ payload }) => payload);
  return { ...shell, sent: sentCalls, problems };
}

afterEach(() => window.localStorage.clear());

describe('email capture', () => {
  // rows: A1-SCOPE-04, A7-OTHER-06, B6-SAVE-01, B6-SAVE-02, A4-SAVE-04
  it('subscribes the address to the search, and to nothing else, when signed out', async () => {
    let respond: (response: unknown) => void = () => {};
    const { sent, events } = mount({ alert: () => new Promise((resolve) => (respond = resolve)) });
    const group = screen.getByRole('group', { name: 'Get emails for this search' });
    expect(group).toHaveTextContent(`Get new matches by email${SEARCH}`);
    expect(subscribe()).toHaveTextContent(/^Subscribe$/);
    await userEvent.type(address(), ' ada@example.com ');
    await userEvent.click(subscribe());
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(subscribe()).toHaveTextContent(/^Subscribe$/);
    await act(async () => respond({ subscribed: true }));
    expect(subscribe()).toHaveTextContent(/^Subscribed!$/);
    expect(sent).toEqual([
      { name: 'subscribeAlert', body: { emailAddress: 'ada@example.com', brand: 'atc', search: URL } },
    ]);
    expect(CALLS.subscribeAlert.body.safeParse(sent[0]!.body).success).toBe(true);
    expect(events.map(({ type }) => type)).toContain('search.saved');
    expect(recentSearchesStorage.read()).toEqual([{ url: URL, subscribed: true }]);
  });

  // rows: B6-SAVE-01, B6-SAVE-02, B7-CAPTURE-01
  it.each<[string, boolean, string | undefined]>([
    ['signed in', true, undefined],
    ['signed in, with a title', true, 'My search'],
    ['signed out, with a title', false, 'My search'],
  ])('stores and promises no alert when %s', async (_, signedIn, title) => {
    const { sent } = mount({ session: { signedIn }, ...(title && { title }) });
    expect(screen.getByRole('group', { name: 'Get our emails' })).toHaveTextContent(
      /new vehicles and price drops/,
    );
    expect(screen.queryByText(/matches|this search/i)).toBeNull();
    expect(screen.queryByText(SEARCH)).toBeNull();
    await userEvent.type(address(), 'ada@example.com');
    await userEvent.click(subscribe());
    await waitFor(() => expect(subscribe()).toHaveTextContent('Subscribed!'));
    expect(sent).toEqual([{ name: 'emailCapture', body: { emailAddress: 'ada@example.com', brand: 'atc' } }]);
    expect(emailCaptureSchema.safeParse(sent[0]!.body).success).toBe(true);
  });

  // rows: A4-SAVE-05
  it('resets the button to Subscribe when the address changes', async () => {
    mount();
    await userEvent.type(address(), 'ada@example.com');
    await userEvent.click(subscribe());
    await waitFor(() => expect(subscribe()).toHaveTextContent('Subscribed!'));
    await userEvent.type(address(), 'x');
    expect(subscribe()).toHaveTextContent(/^Subscribe$/);
  });

  // rows: A4-SAVE-06, A4-SAVE-07, A4-SAVE-08, A4-SAVE-09, A8-ERR-01
  it.each<[string, Parameters<typeof mount>[0], string]>([
    ['the limit is reached', { alert: () => Promise.reject(refusal(409)) }, 'refused 409'],
    ['the alert is not stored', { alert: () => ({ subscribed: false }) }, 'alert: no success'],
    [
      'the capture fails',
      { capture: () => ({ status: 'danger' }), title: 'My search' },
      'capture: no success',
    ],
    ['there is no network', { alert: () => Promise.reject(refusal(0)) }, 'refused 0'],
  ])(
    'shows the limit with a link to create an account, and logs the cause, when %s',
    async (_, responses, cause) => {
      window.history.replaceState(null, '', `${URL}&defaultScreen=signup`);
      const { problems } = mount(responses);
      await userEvent.type(address(), 'ada@example.com');
      await userEvent.click(subscribe());
      const alert = await screen.findByRole('alert');
      expect(within(alert).getByText(LIMIT)).toBeVisible();
      expect(alert).toHaveAttribute('data-alert', 'danger');
      expect(within(alert).getByRole('link', { name: 'Create a free account' })).toHaveAttribute(
        'href',
        `/login?defaultScreen=signup&refUrl=${encodeURIComponent(URL)}`,
      );
      expect(subscribe()).toHaveTextContent(/^Subscribe$/);
      expect(address()).toHaveValue('ada@example.com');
      expect(problems()).toEqual([{ code: 'EMAIL_CAPTURE', message: cause }]);
      window.history.replaceState(null, '', '/');
    },
  );

  // rows: A9-LIMIT-01, A6-ROLE-03
  it('accepts two searches when signed out and asks for an account at the third', async () => {
    const storedSearches = new Set<unknown>();
    const alert: Respond = ({ search }) => {
      if (storedSearches.size === 2) return Promise.reject(refusal(409));
      storedSearches.add(search);
      return { subscribed: true, isNew: true };
    };
    const subscribeTo = async (make: string) => {
      const shell = mount({ alert, url: `/cars-for-sale/all/${make}` });
      await userEvent.type(address(), 'ada@example.com');
      await userEvent.click(subscribe());
      await waitFor(() => expect(shell.container.querySelector('[data-alert]')).not.toBeNull());
      const texts = [...shell.container.querySelectorAll('[data-alert]')].map(
        (element) => element.textContent,
      );
      shell.unmount();
      return texts.join();
    };
    for (const make of ['ford', 'honda'])
      expect(await subscribeTo(make)).toMatch(/^Thanks! We’ll email you when new matches arrive/);
    expect(await subscribeTo('kia')).toMatch(
      /^You have a maximum of 2 searches saved\.Create a free account to save more\./,
    );
    expect([...storedSearches]).toEqual(['/cars-for-sale/all/ford', '/cars-for-sale/all/honda']);
  });

  // rows: A9-LIMIT-01
  it.each([
    ['LIMIT', 0],
    ['BREAKER_OPEN', 1],
  ])('offers a retry depending on the error code: %s', async (code, retries) => {
    const { problems } = mount({ alert: () => ({ error: 'Request failed', code }) });
    await userEvent.type(address(), 'ada@example.com');
    await userEvent.click(subscribe());
    await screen.findByRole('alert');
    expect(screen.queryAllByRole('button', { name: 'Try again' })).toHaveLength(retries);
    expect(problems()).toEqual([{ code: 'EMAIL_CAPTURE', message: `alert: ${code}` }]);
  });

  it('offers a retry that keeps the focus after an outage, and none at the limit', async () => {
    let failure: Error | undefined = refusal(409);
    const { sent } = mount({ alert: () => (failure ? Promise.reject(failure) : { subscribed: true }) });
    await userEvent.type(address(), 'ada@example.com');
    await userEvent.click(subscribe());
    await screen.findByRole('alert');
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    failure = refusal(503);
    await userEvent.click(subscribe());
    const retry = await screen.findByRole('button', { name: 'Try again' });
    failure = undefined;
    await userEvent.click(retry);
    await waitFor(() => expect(subscribe()).toHaveTextContent('Subscribed!'));
    expect(subscribe()).toHaveFocus();
    expect(sent.filter(({ name }) => name === 'subscribeAlert')).toHaveLength(3);
  });

  // rows: B7-CAPTURE-02
  it("shows a success, warning or danger alert by the response's status", async () => {
    const { container } = mount({
      title: 'My search',
      capture: ({ emailAddress }) => ({ status: String(emailAddress).split('@')[0] }),
    });
    for (const [status, text] of [
      ['success', 'Thanks! You’re on the list.'],
      ['warning', 'You’re already subscribed with this email.'],
      ['danger', LIMIT],
    ] as const) {
      await userEvent.clear(address());
      await userEvent.type(address(), `${status}@example.com`);
      await userEvent.click(subscribe());
      await waitFor(() =>
        expect(
          [...container.querySelectorAll('[data-alert]')].map((alert) => alert.getAttribute('data-alert')),
        ).toEqual([status]),
      );
      expect(screen.getByText(text).closest('[data-alert]')).toHaveAttribute('data-alert', status);
    }
  });

  // rows: B7-CAPTURE-02, A7-OTHER-06
  it.each([
    [true, 'success'],
    [false, 'warning'],
  ])('when the search is new to the address: %s, shows a %s alert', async (isNew, expected) => {
    const { container } = mount({ alert: () => ({ subscribed: true, isNew }) });
    await userEvent.type(address(), 'ada@example.com');
    await userEvent.click(subscribe());
    await waitFor(() => expect(subscribe()).toHaveTextContent('Subscribed!'));
    expect(
      [...container.querySelectorAll('[data-alert]')].map((alert) => alert.getAttribute('data-alert')),
    ).toEqual([expected]);
  });

  // rows: A5-RULE-06, A5-RULE-07, B5-EMAIL-01, B9-LEN-03
  it('requires an address and accepts one of 45 characters', async () => {
    const { sent } = mount();
    await userEvent.click(subscribe());
    expect(await screen.findByText('Enter your email address')).toBeVisible();
    expect(address()).toBeInvalid();
    expect(address()).toHaveFocus();
    expect(address()).toHaveAttribute('maxlength', '45');
    expect(sent).toEqual([]);
    await userEvent.type(address(), addressOf(45));
    await userEvent.click(subscribe());
    await waitFor(() => expect(subscribe()).toHaveTextContent('Subscribed!'));
    expect(sent[0]!.body['emailAddress']).toBe(addressOf(45));
  });

  // rows: B5-EMAIL-02, B3-FORM-01
  it.each([
    ['typed', (text: string) => userEvent.type(address(), text)],
    ['pasted', (text: string) => userEvent.click(address()).then(() => userEvent.paste(text))],
  ])('refuses a longer address that is %s and sends no truncated address', async (_, enter) => {
    const { sent } = mount();
    await enter(addressOf(46));
    expect(await screen.findByText('At most 45 characters')).toBeVisible();
    await userEvent.click(subscribe());
    await waitFor(() => expect(address()).toHaveFocus());
    expect(address()).toBeInvalid();
    expect(sent).toEqual([]);
    await userEvent.clear(address());
    await userEvent.type(address(), 'ada@example.com');
    await userEvent.click(subscribe());
    await waitFor(() => expect(subscribe()).toHaveTextContent('Subscribed!'));
  });

  it('keeps a short address as it is when the field rejects what was entered', async () => {
    const { sent } = mount();
    await userEvent.type(address(), 'ada@example.com');
    address().addEventListener('beforeinput', (event) => event.preventDefault(), { once: true });
    await userEvent.paste('.mx');
    await userEvent.click(subscribe());
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]!.body['emailAddress']).toBe('ada@example.com');
  });

  // rows: B3-FORM-02, B5-EMAIL-03
  it('makes no call when the hidden honeypot is filled', async () => {
    const { container, sent, problems } = mount();
    const trap = container.querySelector<HTMLInputElement>('input[name="website"]')!;
    expect(trap).toHaveAttribute('tabindex', '-1');
    expect(trap.closest('[aria-hidden="true"]')).toHaveClass('trap');
    expect(trap).toHaveAttribute('autocomplete', 'off');
    trap.value = 'https://spam.example';
    await userEvent.type(address(), 'bot@example.com');
    await userEvent.click(subscribe());
    await waitFor(() => expect(subscribe()).toHaveTextContent('Subscribed!'));
    expect(sent).toEqual([]);
    expect(problems()).toEqual([{ code: 'HONEYPOT', message: 'email capture' }]);
  });

  it('subscribes once for a double click', async () => {
    const { sent } = mount();
    await userEvent.type(address(), 'ada@example.com');
    await userEvent.dblClick(subscribe());
    await waitFor(() => expect(subscribe()).toHaveTextContent('Subscribed!'));
    expect(sent).toHaveLength(1);
  });
});
