import type { CallName } from '@forecourt/shared-contracts/calls';

/** Part of the note above results that the upstream has not confirmed. */
export const STALE_NOTE = 'refresh these results right now';

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

/** Every call fails at once. */
export const injectOutage = (api: string): Promise<void> => post(api, { path: '/', status: 503 });

export async function clearFaults(api: string): Promise<void> {
  await fetch(`${api}/__faults`, { method: 'DELETE' });
}
