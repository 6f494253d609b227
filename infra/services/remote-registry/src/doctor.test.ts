import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { run } from '@forecourt/cli/run';
import { startTestRegistry, type TestRegistry } from './testing/testApp.ts';

const REFUSAL = { rule: 'SLOT_RENDER', expected: 'it renders', found: 'boom', remedy: 'repair it' };

describe('doctor --shell', () => {
  let registry: TestRegistry;
  let shell: Server;
  let ready: { status: number; body: string };
  let url: string;
  beforeEach(async () => {
    registry = await startTestRegistry();
    shell = createServer((_, response) => response.writeHead(ready.status).end(ready.body));
    await new Promise<void>((resolve) => shell.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(shell.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    await registry.stop();
    await new Promise((resolve) => shell.close(resolve));
  });
  const ofShell = async () => {
    let output = '';
    const print = (text: string) => void (output += text);
    const words = ['doctor', '--shell', url, '--json'];
    await run(words, { REGISTRY_URL: registry.url }, { out: print, err: print });
    const { findings } = JSON.parse(output) as { findings: { isOk: boolean; what: string }[] };
    return findings.filter(({ what }) => what.startsWith('shell'));
  };
  const saying = (status: number, body: object) => ({ status, body: JSON.stringify(body) });

  it('lists the releases in use', async () => {
    ready = saying(200, { status: 'ready', releases: { sample: '1.0.0' }, refused: {} });
    expect(await ofShell()).toEqual([{ isOk: true, what: `shell ${url} is ready: sample@1.0.0` }]);
  });

  it('reports releases that the shell refused, by rule', async () => {
    ready = saying(200, {
      status: 'ready',
      releases: { sample: '1.0.0' },
      refused: { 'sample@1.1.0': [REFUSAL] },
    });
    expect((await ofShell())[1]).toEqual({
      isOk: false,
      what: `shell ${url} refuses sample@1.1.0`,
      advice: 'SLOT_RENDER: expected it renders, found boom; repair it',
    });
  });

  it.each([
    ['one that is not ready', saying(503, { status: 'starting', releases: {} })],
    ['something else that answers', { status: 200, body: '<html>' }],
  ])('reports a problem for %s', async (_, response) => {
    ready = response;
    expect((await ofShell()).map(({ isOk }) => isOk)).toEqual([false]);
  });
});
