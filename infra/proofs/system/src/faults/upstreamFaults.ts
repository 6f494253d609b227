import type { CallName } from '@forecourt/upstream/calls';

/** Part of the note above results that the upstream has not confirmed. */
export const STALE_NOTE = 'refresh these results right now';

/** Slots that every results page has, whatever else fails. */
export const REQUIRED_SLOTS: readonly string[] = ['toolbar', 'results', 'filters'];

/** Ways in which a call of the upstream fails; the API's README describes the switches. */
export const MODES = {
  error: { status: 500 },
  dropped: { mode: 'drop' },
  invalid: { mode: 'invalidBody' },
  slow: { delayMs: 3_500 },
} as const;
export type Mode = keyof typeof MODES;

async function post(api: string, fault: object): Promise<void> {
  const response = await fetch(`${api}/__faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  if (response.status !== 201) throw new Error(`the fault was refused: ${await response.text()}`);
}

export const inject = (api: string, call: CallName, mode: Mode): Promise<void> =>
  post(api, { call, ...MODES[mode] });

/** A call takes so much longer; ms. */
export const delay = (api: string, call: CallName, delayMs: number): Promise<void> =>
  post(api, { call, delayMs });

/** Every call fails at once. */
export const injectOutage = (api: string): Promise<void> => post(api, { path: '/', status: 503 });

export async function clearFaults(api: string): Promise<void> {
  await fetch(`${api}/__faults`, { method: 'DELETE' });
}

/** A message to the seller of the API's first listing, without its comments and key. */
export async function readLead(api: string): Promise<Readonly<Record<string, string>>> {
  const response = await fetch(`${api}/rest/lsc/listing?numRecords=1`);
  const { listings } = (await response.json()) as { listings: { id: number; ownerId: number }[] };
  const [{ id, ownerId }] = listings as [{ id: number; ownerId: number }];
  return {
    listingId: String(id),
    ownerId: String(ownerId),
    firstName: 'Ada',
    lastName: 'Byron',
    fromEmailAddress: 'ada@example.com',
  };
}
