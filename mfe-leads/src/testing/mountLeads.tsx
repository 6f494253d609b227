import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FLAGS } from '@forecourt/search/brands';
import type { SearchState, SessionState } from '@forecourt/search/state';
import { buildListing, buildOwner, buildState, mountInTestShell } from '@forecourt/search/testing';
import type { EventInput, EventType } from '@forecourt/slots/events';
import type { CallName, CallParams } from '@forecourt/upstream/calls';
import leads from '../slots/leads.tsx';

interface RecordedCall {
  readonly name: CallName;
  readonly params: CallParams;
  readonly body: Readonly<Record<string, unknown>>;
}
type Responses = Partial<
  Record<CallName, (body: Readonly<Record<string, unknown>>, params: CallParams) => unknown>
>;

/** Responses of a healthy upstream. */
const DEFAULT_RESPONSES: Responses = {
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

/** Error of a write that the upstream refuses. */
export const refusal = (status: number): Error => Object.assign(new Error(`refused ${status}`), { status });

export interface MountedLeads extends ReturnType<typeof mountInTestShell> {
  readonly calls: readonly RecordedCall[];
  readonly bodiesOf: (name: CallName) => readonly Readonly<Record<string, unknown>>[];
  readonly send: <T extends EventType>(type: T, payload: EventInput<T>) => void;
  readonly eventsOf: (type: EventType) => readonly unknown[];
}

/** Mounts the leads slot with a dealer's and a private seller's listing; `calls` overrides upstream responses. */
export function mountLeads(
  options: {
    search?: Partial<SearchState>;
    session?: Partial<SessionState>;
    calls?: Responses;
  } = {},
): MountedLeads {
  const recorded: RecordedCall[] = [];
  const responses = { ...DEFAULT_RESPONSES, ...options.calls };
  const calls = Object.fromEntries(
    Object.entries(responses).map(([name, respond]) => [
      name,
      (params: CallParams, body: unknown) => {
        const record = { name: name as CallName, params, body: (body ?? {}) as RecordedCall['body'] };
        recorded.push(record);
        return respond(record.body, params);
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
    calls: recorded,
    bodiesOf: (name: CallName) => recorded.filter((call) => call.name === name).map(({ body }) => body),
    send: <T extends EventType>(type: T, payload: EventInput<T>) =>
      act(() => shell.bus.emit(type, payload, 'results')),
    eventsOf: (type: EventType) =>
      shell.events.filter((event) => event.type === type).map(({ payload }) => payload),
  });
}

export const field = (name: string | RegExp): HTMLElement => screen.getByRole('textbox', { name });
/** The dialog, once it has opened. */
export const dialog = (name: string): Promise<HTMLElement> => screen.findByRole('dialog', { name });

export async function fillIn(fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(fields)) {
    const control = await screen.findByRole('textbox', { name: new RegExp(`^${name}`) });
    await userEvent.clear(control);
    if (text !== '') await userEvent.type(control, text);
  }
}

export const ADA = { 'First name': 'Ada', 'Last name': 'Byron', Email: 'ada@example.com' } as const;
