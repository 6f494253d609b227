import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CANARY_STATES } from '@forecourt/releases/canaryRule';
import { sampleRelease } from '@forecourt/release-kit/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runCommand } from '../testing/runCommand.ts';

const MEASURE = {
  isRequired: false,
  evidence: 1,
  rule: { minFailures: 5, minDifference: 0.02, minEvidence: 900 },
};
const INP = {
  ...MEASURE,
  kind: 'vital',
  name: 'INP',
  goodMs: 200,
  canary: { good: 80, bad: 60 },
  live: { good: 1800, bad: 18 },
};
const PANEL = {
  ...MEASURE,
  kind: 'server',
  name: 'panel',
  isRequired: true,
  canary: { good: 1000, bad: 0 },
  live: { good: 10_000, bad: 4 },
};
const REPORT = {
  remote: 'sample',
  live: '2.0.0',
  canary: { version: '1.0.0', weight: 5 },
  shells: 2,
  windowMinutes: 60,
  measures: [
    { ...PANEL, verdict: { kind: 'fine' } },
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
  // The words of the control room, too.
  const { worse, undecided, fine } = CANARY_STATES;
  const evidence = [
    'sample: canary 1.0.0 at 5 % against live 2.0.0; last 60 minutes of 2 shells',
    `panel (required) on servers: canary 0 of 1000 (0.0 %), live 4 of 10004 (0.0 %): ${fine.text}: ${fine.advice}`,
    `INP above 200 ms: canary 60 of 140 (42.9 %), live 18 of 1818 (1.0 %): ${worse.text}: ${worse.advice}`,
  ];

  it('prints a verdict for each slot and vital, also below the releases of the remote', async () => {
    expect(await forecourt('canary', 'sample')).toEqual({ status: 0, lines: evidence });
    expect((await forecourt('show', 'sample')).lines.slice(-3)).toEqual(evidence);
  });

  it('says how many shells reported it, and how long it takes until there is enough evidence', async () => {
    const measures = [{ ...PANEL, verdict: { kind: 'undecided', minutesLeft: 3.2 } }];
    canary.body = { ...REPORT, shells: 1, measures };
    expect((await forecourt('canary', 'sample')).lines).toEqual([
      'sample: canary 1.0.0 at 5 % against live 2.0.0; last 60 minutes of 1 shell',
      `panel (required) on servers: canary 0 of 1000 (0.0 %), live 4 of 10004 (0.0 %): ${undecided.text}, about 4 min left: ${undecided.advice}`,
    ]);
  });

  it('shows the releases of a remote when the evidence needs another credential', async () => {
    canary = { status: 401, body: { error: { code: 'UNAUTHORIZED', message: 'a token is needed' } } };
    expect((await forecourt('show', 'sample')).lines.at(-1)).toMatch(
      /^how the canary fares can't be read: UNAUTHORIZED: /,
    );
  });
});
