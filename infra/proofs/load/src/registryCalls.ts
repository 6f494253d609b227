import { publish, variantOf } from '@forecourt/e2e/releases';

export interface PointerChange {
  readonly revision: number;
  readonly remote: string;
  readonly verb: string;
  readonly by: string;
  readonly before: { readonly live: string } | null;
  readonly after: { readonly live: string };
}

interface Answer {
  readonly status: number;
  readonly json: unknown;
}

/** One write of the registry; answers also what it refuses. */
export async function write(registryUrl: string, path: string, body: object): Promise<Answer> {
  const response = await fetch(registryUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, json: await response.json() };
}

/** @throws Error with the registry's answer */
export async function rollBack(registryUrl: string, remote: string): Promise<void> {
  const { status, json } = await write(registryUrl, `/api/remotes/${remote}/rollback`, { by: 'proof' });
  if (status !== 200) throw new Error(`rollback of ${remote}: ${status} ${JSON.stringify(json)}`);
}

export async function readHistory(
  registryUrl: string,
  remote: string,
  limit: number,
): Promise<PointerChange[]> {
  const response = await fetch(`${registryUrl}/api/remotes/${remote}/history?limit=${limit}`);
  return ((await response.json()) as { changes: PointerChange[] }).changes;
}

export async function readPointers(
  registryUrl: string,
): Promise<{ revision: number; remotes: Record<string, { live: string } | undefined> }> {
  return (await (await fetch(`${registryUrl}/api/pointers`)).json()) as Awaited<
    ReturnType<typeof readPointers>
  >;
}

/** Publishes a build anew under another version, with other words in it. */
export async function publishVariant(
  registryUrl: string,
  directory: string,
  version: string,
  words?: readonly [from: string, to: string],
): Promise<void> {
  const variant = variantOf(directory, { version, ...(words ? { words } : {}) });
  await publish(registryUrl, variant.directory).finally(variant.remove);
}
