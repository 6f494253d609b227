import { act, configure, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { CallName, CallParams } from '@forecourt/shared-contracts/calls';
import type { EventInput, EventType } from '@forecourt/shared-contracts/events';
import type { SearchState, SessionState } from '@forecourt/shared-contracts/store';
import { buildListing, buildOwner, buildState, mountInTestShell } from '@forecourt/shared-contracts/testing';
import { FLAGS } from '@forecourt/shared-contracts/brands';
import leads from '../slots/leads.tsx';

// A form's check is fetched with the form: a busy machine needs its time for it.
configure({ asyncUtilTimeout: 5_000 });

/** One call as it was made. */
export interface AskedCall {
  readonly name: CallName;
  readonly params: CallParams;
  readonly body: Readonly<Record<string, unknown>>;
}
type Answers = Partial<
  Record<CallName, (body: Readonly<Record<string, unknown>>, params: CallParams) => unknown>
>;

/** What an upstream in good health answers. */
const HEALTHY: Answers = {
  emailOwner: () => ({ status: 'SUCCESS' }),
  makeOffer: () => ({ status: 'SUCCESS' }),
  leadCandidates: () => ({
    candidates: [],
    profile: { firstName: '', lastName: '', email: '', phone: '', isOneClickOptedIn: false },
  }),
  saveLeadProfile: () => null,
  shareListing: () => null,
  reportListing: () => null,
  saveListing: () => null,
  unsaveListing: () => null,
  savedListings: () => ({ savedListings: [] }),
  emailCapture: () => ({ status: 'success' }),
  subscribeAlert: () => ({ subscribed: true, alertId: 'a1' }),
  vehicle: () => null,
};

/** An upstream that refuses a write. */
export const refusal = (status: number): Error => Object.assign(new Error(`refused ${status}`), { status });

export interface MountedLeads extends ReturnType<typeof mountInTestShell> {
  readonly asked: readonly AskedCall[];
  readonly bodiesOf: (name: CallName) => readonly Readonly<Record<string, unknown>>[];
  readonly send: <T extends EventType>(type: T, payload: EventInput<T>) => void;
  readonly eventsOf: (type: EventType) => readonly unknown[];
}

/** A dealer's and a private seller's listing, the dialogs' slot, and an upstream whose answers may be replaced. */
export function mountLeads(
  options: {
    search?: Partial<SearchState>;
    session?: Partial<SessionState>;
    calls?: Answers;
  } = {},
): MountedLeads {
  const asked: AskedCall[] = [];
  const answers = { ...HEALTHY, ...options.calls };
  const calls = Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [
      name,
      (params: CallParams, body: unknown) => {
        const record = { name: name as CallName, params, body: (body ?? {}) as AskedCall['body'] };
        asked.push(record);
        return answer(record.body, params);
      },
    ]),
  );
  const state = buildState(
    {
      listings: [
        buildListing(),
        buildListing({ id: '1002', title: '2019 Honda Civic EX', ownerId: 'p1', phone: undefined }),
      ],
      owners: {
        d1: buildOwner(),
        p1: buildOwner({ id: 'p1', name: 'Private Seller', phone: undefined, privateSeller: true }),
      },
      texts: { heading: 'Cars for Sale', title: '', description: '', canonicalUrl: '' },
      ...options.search,
    },
    { flags: FLAGS, ...options.session },
  );
  const shell = mountInTestShell(leads, { state, calls });
  return Object.assign(shell, {
    asked,
    bodiesOf: (name: CallName) => asked.filter((call) => call.name === name).map(({ body }) => body),
    send: <T extends EventType>(type: T, payload: EventInput<T>) =>
      act(() => shell.bus.emit(type, payload, 'results')),
    eventsOf: (type: EventType) =>
      shell.events.filter((event) => event.type === type).map(({ payload }) => payload),
  });
}

export const field = (name: string | RegExp): HTMLElement => screen.getByRole('textbox', { name });
/** The dialog, as soon as it and its content are there. */
export const dialog = (name: string): Promise<HTMLElement> => screen.findByRole('dialog', { name });

export async function fillIn(fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(fields)) {
    const control = await screen.findByRole('textbox', { name: new RegExp(`^${name}`) });
    await userEvent.clear(control);
    if (text !== '') await userEvent.type(control, text);
  }
}

export const ADA = { 'First name': 'Ada', 'Last name': 'Byron', Email: 'ada@example.com' } as const;
