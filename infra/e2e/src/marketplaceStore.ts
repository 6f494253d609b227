import { apiOrigin } from './origins.ts';

/** What the marketplace has stored, as its local mode tells it. */
export interface StoredLead {
  readonly kind: string;
  readonly listingId: string;
  readonly body: Readonly<Record<string, unknown>>;
}
export interface StoredMail {
  readonly kind: string;
  readonly to: string;
}

const read = async <T>(path: string): Promise<T> => (await fetch(apiOrigin() + path)).json() as Promise<T>;

/** Messages and offers from one address. */
export async function leadsFrom(email: string): Promise<readonly StoredLead[]> {
  const { leads } = await read<{ leads: StoredLead[] }>('/cars-for-sale/svc/leads');
  return leads.filter(({ body }) => body['fromEmailAddress'] === email);
}

/** Reports whose comments are these. */
export async function reportsSaying(comments: string): Promise<readonly { readonly reason: string }[]> {
  const { reports } = await read<{ reports: { reason: string; comments: string }[] }>(
    '/cars-for-sale/svc/reports',
  );
  return reports.filter((report) => report.comments === comments);
}

/** Mails of a kind to one address. */
export async function mailsTo(email: string, kind: string): Promise<readonly StoredMail[]> {
  const { mails } = await read<{ mails: StoredMail[] }>('/outbox');
  return mails.filter((mail) => mail.to.includes(email) && mail.kind === kind);
}

/** Lets calls of one name fail until the answer is called, or for the next `times` of them. */
export async function failing(
  call: string,
  fault: { readonly status?: number; readonly delayMs?: number; readonly times?: number },
): Promise<() => Promise<void>> {
  const response = await fetch(`${apiOrigin()}/__faults`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ call, ...fault }),
  });
  if (!response.ok) throw new Error(`no such fault: ${await response.text()}`);
  const { id } = (await response.json()) as { id: number };
  return async () => {
    await fetch(`${apiOrigin()}/__faults/${id}`, { method: 'DELETE' });
  };
}
