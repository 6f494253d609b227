import { describeStatus } from '@forecourt/release-kit/describeStatus';
import { explainSlot } from '@forecourt/release-kit/explainSlot';
import { callRegistry } from '@forecourt/release-kit/registryClient';
import { statusSchema } from '@forecourt/release-kit/registryResponses';
import { UsageError } from '../commandLine.ts';
import { type Command, rejectExtraArguments } from './command.ts';

/** `status`: what is live where, canaries, holds and last failures by slot. */
export const status: Command = async ({ access, args }) => {
  rejectExtraArguments(args);
  const data = await callRegistry(access, { method: 'GET', path: '/api/status' }, statusSchema);
  return { text: describeStatus(data), data };
};

const TIMEOUT_MS = 30_000;

/** `why SLOT URL`: why a slot looks as it does on a page. */
export const why: Command = async ({ args }) => {
  const [slot, url, ...rest] = args;
  if (slot === undefined || url === undefined || !URL.canParse(url))
    throw new UsageError('why needs SLOT and the URL of a page');
  rejectExtraArguments(rest);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { signal });
  // Hidden from visitors by the edge: then there is no more to say.
  const read = async (path: string): Promise<unknown> =>
    (await fetch(new URL(path, url), { signal }).catch(() => undefined))?.json().catch(() => undefined);
  const page = {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    html: await response.text(),
    readiness: await read('/health/ready'),
    provides: await read('/releases/provides'),
  };
  const lines = explainSlot(slot, page);
  return { text: lines.join('\n'), data: { slot, url, reasons: lines } };
};
