import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { browser } from '@wdio/globals';
import { REPOSITORY } from '@forecourt/local';
import { describe, it } from 'mocha';
import { allowConsoleErrors } from './consoleErrors.ts';
import { parseLogLine, SERVICES } from './logLines.ts';
import { apiOrigin, dataDir, shellOrigin } from './serverHtml.ts';

const PROGRAMS: Readonly<Record<(typeof SERVICES)[number], string>> = {
  shell: 'shell/dist/server/server.cjs',
  'marketplace-api': 'infra/services/marketplace-api/src/server.ts',
  'remote-registry': 'infra/services/remote-registry/src/server.ts',
  identity: 'infra/services/identity/src/server.ts',
};

/** What a service prints that is started with these variables only, and its exit status. */
async function startWith(program: string, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [join(REPOSITORY, program)], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (printed += text.toString()));
  const status = await new Promise((resolve) => child.once('close', resolve));
  return { printed, status };
}

const linesOf = (service: string): readonly string[] =>
  readFileSync(join(dataDir(), 'logs', `${service}.log`), 'utf8')
    .split('\n')
    // What Node and a service print before there is a log.
    .filter((line) => line.startsWith('{'));

describe('logs of all services', () => {
  it('writes each line with the same fields in the same order, and one request id from page to upstream', async () => {
    allowConsoleErrors(/404/);
    const requestId = `logs-${Date.now()}`;
    const headers = { 'x-request-id': requestId };
    await fetch(`${shellOrigin()}/cars-for-sale/all/ford?minPrice=${Date.now() % 10_000}&zip=60601`, {
      headers,
    });
    await fetch(`${apiOrigin()}/no-such-call`, { headers });
    await browser.url(`${shellOrigin()}/account/sign-in?refUrl=%2Faccount`);
    const requests = SERVICES.map((service) => {
      const lines = linesOf(service).map(parseLogLine);
      assert.ok(lines.length > 0, `${service} wrote no line`);
      assert.deepEqual([...new Set(lines.map((line) => line.service))], [service]);
      return [service, lines.filter((line) => line.msg === 'request')] as const;
    });
    const withRequests = requests.filter(([, lines]) => lines.length > 0).map(([service]) => service);
    // The registry logs successful requests at the level `debug`.
    assert.deepEqual(withRequests, ['shell', 'marketplace-api', 'identity']);
    for (const [service, lines] of requests)
      if (['shell', 'marketplace-api'].includes(service))
        assert.ok(
          lines.some((line) => line.requestId === requestId),
          `${service} did not log ${requestId}`,
        );
  });

  for (const service of SERVICES)
    it(`${service} names each invalid configuration key in one line and does not start`, async () => {
      const { printed, status } = await startWith(PROGRAMS[service], {
        LOG_LEVEL: 'loud',
        LOCAL_MODE: 'perhaps',
      });
      assert.match(
        printed,
        new RegExp(`^${service}: configuration: [A-Z0-9_]+: [^;\\n]+(?:; [A-Z0-9_]+: [^;\\n]+)+\\n$`),
      );
      assert.ok(printed.includes('LOG_LEVEL: ') && printed.includes('LOCAL_MODE: '), printed);
      assert.equal(status, 1);
    });
});
