import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'mocha';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { freePort, REPOSITORY } from '@forecourt/local';
import { loggedLines, logLines, linesWith } from './serviceLogs.ts';

const SHELL = join(REPOSITORY, 'shell/dist/server/server.cjs');
/** A port that no service has. */
const AWAY = 'http://127.0.0.1:1';

const metricsOf = async (origin: string): Promise<string[]> =>
  (await (await fetch(`${origin}/metrics`)).text()).split('\n').filter((line) => !line.startsWith('#'));

describe('a shell that has started', () => {
  let stack: Awaited<ReturnType<typeof startOwnStack>>;
  before(async () => {
    stack = await startOwnStack({ environment: { RENDER_LIMITS: 'warmUpSeconds=2' } });
  });
  after(() => stack?.remove());

  it('has rendered pages before the first visitor, of which nothing is counted, logged or asked of the upstream', async () => {
    const [line = '{}'] = await loggedLines(stack.dataDir, ['"msg":"warmed up"']);
    const { done, failed } = JSON.parse(line) as { done?: number; failed?: number };
    assert.ok(Number(done) > 0 && failed === 0, line);
    const lines = logLines(stack.dataDir);
    assert.deepEqual(linesWith(lines, ['"msg":"request"', '"route":"results"']), []);
    assert.deepEqual(linesWith(lines, ['"code":']), []);
    const shell = await metricsOf(stack.urls.shell);
    const counted = shell.filter((metric) =>
      /^forecourt_(?:pages|shed|budget_spent|slot_failures|release_renders|slots_reused)_total[{ ]|^forecourt_(?:request|slot)_seconds_count[{ ]/.test(
        metric,
      ),
    );
    assert.deepEqual(
      counted.filter((metric) => !/ 0$/.test(metric)),
      [],
    );
    const calls = shell.filter((metric) => /^forecourt_call_seconds_count\{/.test(metric));
    assert.ok(
      calls.every((call) => call.includes('call="slugReference"')),
      calls.join('\n'),
    );
    const upstream = (await metricsOf(stack.urls['marketplace-api'])).filter((metric) =>
      /_request_duration_seconds_count\{.*route="\/(?:batch|rest\/lsc\/listing)/.test(metric),
    );
    assert.deepEqual(upstream, []);
    const page = await fetch(`${stack.urls.shell}/cars-for-sale/all/ford/f150?searchRadius=50&zip=60601`);
    assert.equal(page.status, 200);
    await page.text();
    assert.ok(
      (await metricsOf(stack.urls.shell)).some((metric) => /^forecourt_slot_seconds_count\{/.test(metric)),
      'the metrics count the pages of visitors',
    );
  });

  it('warms up and listens while the upstream is away', async () => {
    const child = spawn(process.execPath, [SHELL], {
      env: {
        ...process.env,
        LOCAL_MODE: 'true',
        RENDER_LIMITS: 'warmUpSeconds=2',
        PORT: String(await freePort()),
        REGISTRY_URL: stack.urls['remote-registry'],
        MARKETPLACE_API_URL: AWAY,
        DATA_DIR: join(stack.dataDir, 'without-upstream'),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const messages: string[] = [];
      for await (const line of createInterface({ input: child.stdout })) {
        const { msg = '', done } = JSON.parse(line) as { msg?: string; done?: number };
        if (msg === 'warmed up') assert.ok(Number(done) > 0, line);
        if (['warmed up', 'listening'].includes(msg)) messages.push(msg);
        if (msg === 'listening') break;
      }
      assert.deepEqual(messages, ['warmed up', 'listening']);
    } finally {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
  });
});
