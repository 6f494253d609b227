import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { runCommand } from '../testing/runCommand.ts';

const BOOT = {
  slots: [{ slot: 'results', remote: 'mfe-results', rendered: 'fallback', hydrate: 'load' }],
  remotes: [{ name: 'mfe-results', version: '1.4.0' }],
};
const RESPONSES: Readonly<Record<string, string>> = {
  '/api/status': JSON.stringify({
    revision: 3,
    shells: [{ url: 'http://shell' }],
    remotes: [{ name: 'mfe-results', live: '1.4.0', previous: '1.3.0', failing: [] }],
  }),
  '/cars': `<script type="application/json" id="fc-boot">${JSON.stringify(BOOT)}</script>`,
  '/releases/provides': JSON.stringify({
    shared: {},
    remotes: { 'mfe-results': { slots: ['results'], mayRead: { results: ['search.listings', 'session'] } } },
    permissions: { results: { emits: ['search.changeRequested'], hears: [], calls: ['ad', 'search'] } },
    budgets: { remotes: {}, preset: { bytes: 1, reason: 'small' } },
  }),
  '/health/ready': JSON.stringify({ failing: { 'mfe-results@1.4.0': { results: 'THREW' } } }),
};

/** A registry and a shell in one. */
let server: Server;
let url: string;
beforeEach(async () => {
  server = createServer((request, response) =>
    response.writeHead(200, { 'server-timing': 'page;desc="miss"' }).end(RESPONSES[request.url ?? '']),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

it('prints what is live, in one screen', async () => {
  const { status, output } = await runCommand(['status'], { REGISTRY_URL: url });
  expect([status, output]).toEqual([
    0,
    'revision 3, 1 remote, 1 shell\nmfe-results  live 1.4.0, before 1.3.0',
  ]);
});

it('explains a slot of a page, and needs its name and the URL', async () => {
  const { output } = await runCommand(['why', 'results', `${url}/cars`], { REGISTRY_URL: url });
  expect(output.split('\n')).toEqual([
    'page: status 200, made for this request, and kept for others',
    'release: mfe-results@1.4.0',
    'rendering: it shows the plain rendering of the site: its release failed, missed its deadline, or is missing',
    "browser: becomes interactive at 'load'",
    'permissions: emits search.changeRequested; hears nothing; calls ad, search; reads search.listings, session',
    "failure: THREW within the last minute; the shell's log has the reason",
  ]);
  expect(await runCommand(['why', 'results'], { REGISTRY_URL: url })).toMatchObject({
    status: 2,
    output: expect.stringContaining('why needs SLOT and the URL of a page') as unknown,
  });
});
