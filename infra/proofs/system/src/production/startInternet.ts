import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Arrival, HttpArrival } from './arrivals.ts';
import type { ProofContext } from '../proof.ts';

type EmailArrival = Extract<Arrival, { kind: 'email' }>;

export interface Internet {
  /** Requests to a host, e.g. 'fcm.googleapis.com'. */
  readonly requests: (host: string) => readonly HttpArrival[];
  readonly emails: () => readonly EmailArrival[];
  /** 'address:port' of connections to servers of the internal network. */
  readonly internal: () => readonly string[];
}

/** Starts the servers of all outside hosts in their network namespace. `exim`: its file. */
export async function startInternet(
  { namespace, tlsFolder, exim }: { namespace: string; tlsFolder: string; exim: string },
  { onEnd }: Pick<ProofContext, 'onEnd'>,
): Promise<Internet> {
  const command = [
    'netns',
    'exec',
    namespace,
    process.execPath,
    join(import.meta.dirname, 'internet.ts'),
    tlsFolder,
    exim,
  ];
  const child = spawn('ip', command, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  onEnd(async () => {
    child.kill();
    await ended;
  });
  const arrivals: Arrival[] = [];
  await new Promise<void>((resolve, reject) => {
    child.on('message', (message: Arrival | 'ready') => {
      if (message === 'ready') resolve();
      else arrivals.push(message);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the stand-ins ended with ${code}`)));
  });
  return {
    requests: (host) => arrivals.filter((one) => one.kind === 'request').filter((one) => one.host === host),
    emails: () => arrivals.filter((one) => one.kind === 'email'),
    internal: () =>
      arrivals.filter((one) => one.kind === 'internal').map(({ address, port }) => `${address}:${port}`),
  };
}
