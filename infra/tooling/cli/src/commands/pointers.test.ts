import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sampleRelease } from '@forecourt/release-kit/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runCommand } from '../testing/runCommand.ts';

const INP = { name: 'INP', goodMs: 200, canary: { good: 80, bad: 60 }, live: { good: 1800, bad: 18 } };
const FAILURES = { name: 'failures', canary: { good: 1000, bad: 0 }, live: { good: 10_000, bad: 4 } };
const REPORT = {
  remote: 'sample',
  live: '2.0.0',
  canary: { version: '1.0.0', weight: 5 },
  shells: 2,
  windowMinutes: 10,
  measures: [
    { ...FAILURES, verdict: { kind: 'fine' } },
    { ...INP, verdict: { kind: 'worse' } },
  ],
};

/** A registry with a canary; `canary` is its response about how it fares. */
let canary: { status: number; body: object };
let server: Server;
let environment: { REGISTRY_URL: string };
beforeEach(async () => {
  canary = { status: 200, body: REPORT };
  const responses: Readonly<Record<string, object>> = {
    '/api/pointers': {
      revision: 3,
      remotes: { sample: { live: '2.0.0', canary: { version: '1.0.0', weight: 5 } } },
    },
    '/api/releases/sample/2.0.0': sampleRelease({ version: '2.0.0' }).manifest,
  };
  server = createServer(({ url = '' }, response) => {
    const isCanary = url === '/api/remotes/sample/canary';
    response
      .writeHead(isCanary ? canary.status : 200)
      .end(JSON.stringify(isCanary ? canary.body : responses[url]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  environment = { REGISTRY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

const forecourt = async (...words: string[]) => {
  const { status, output } = await runCommand(words, environment);
  return { status, lines: output.split('\n') };
};

describe('canary', () => {
  const evidence = [
    'sample: canary 1.0.0 at 5 % against live 2.0.0; last 10 minutes of 2 shells',
    'failures: canary 0 of 1000 (0.0 %), live 4 of 10004 (0.0 %): not worse than the live release',
    'INP above 200 ms: canary 60 of 140 (42.9 %), live 18 of 1818 (1.0 %): worse than the live release',
  ];

  it('prints a verdict for failures and each vital, also below the releases of the remote', async () => {
    expect(await forecourt('canary', 'sample')).toEqual({ status: 0, lines: evidence });
    expect((await forecourt('show', 'sample')).lines.slice(-3)).toEqual(evidence);
  });

  it('says how many shells reported it, and how long it takes until there is enough evidence', async () => {
    const measures = [{ ...FAILURES, verdict: { kind: 'undecided', minutesLeft: 3.2 } }];
    canary.body = { ...REPORT, shells: 1, measures };
    expect((await forecourt('canary', 'sample')).lines).toEqual([
      'sample: canary 1.0.0 at 5 % against live 2.0.0; last 10 minutes of 1 shell',
      'failures: canary 0 of 1000 (0.0 %), live 4 of 10004 (0.0 %): not enough evidence yet, about 4 min left',
    ]);
  });

  it('shows the releases of a remote when the evidence needs another credential', async () => {
    canary = { status: 401, body: { error: { code: 'UNAUTHORIZED', message: 'a token is needed' } } };
    expect((await forecourt('show', 'sample')).lines.at(-1)).toMatch(
      /^how the canary fares can't be read: UNAUTHORIZED: /,
    );
  });
});
