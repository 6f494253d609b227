// not in the cluster: starts its own services, whose releases it replaces
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { remoteNames, REPOSITORY } from '@forecourt/local';
import { after, before, describe, it } from 'mocha';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { startVisitors } from '@forecourt/harness/visitors';
import { deploy, fixtureDist, promote, publish, variantOf } from '@forecourt/harness/releases';
import { getPage, slotHtml } from '@forecourt/harness/serverHtml';

const PAGE = '/cars-for-sale/all/ford';
const PUBLISHES = 10;
/** Generous, since CI machines are busy; `npm run proofs` measures the real time. */
const CHANGED_WITHIN_MS = 20_000;
const MAX_CUT_SHARE = 0.05;
/** Concurrent visitors. */
const VISITORS = 4;

describe('publishing', () => {
  let stack: Awaited<ReturnType<typeof startOwnStack>>;
  before(async () => {
    stack = await startOwnStack();
    await deploy(stack.urls, fixtureDist('good'));
  });
  after(() => stack?.remove());

  it(`updates the page after ${PUBLISHES} publishes under load without a failed request or a restart`, async () => {
    const { shell, 'remote-registry': registry } = stack.urls;
    const startTime = async () =>
      /^process_start_time_seconds (\S+)/m.exec(await (await fetch(`${shell}/metrics`)).text())?.[1];
    const startedAt = await startTime();
    // On a busy machine a slot may exceed its deadline regardless of the publish.
    let cuts = 0;
    const visits = startVisitors(VISITORS, 10, async () => {
      const { status, html } = await getPage(shell + PAGE);
      if (status !== 200 || !html.endsWith('</html>'))
        throw new Error(`status ${status}, ${html.length} characters`);
      if (!slotHtml(html, 'showcase').includes('Fixture showcase')) cuts += 1;
      // The files of the page's release are available.
      const entry = /\/remotes\/mfe-showcase\/[^"]+remoteEntry\.js/.exec(html)?.[0] ?? '/none';
      const file = await fetch(shell + entry);
      await file.arrayBuffer();
      if (file.status !== 200) throw new Error(`${file.status} for ${entry}`);
    });
    try {
      for (let round = 1; round <= PUBLISHES; round += 1) {
        const words = `Fixture showcase, release ${round}`;
        const version = `9.3.${round}`;
        const variant = variantOf(fixtureDist('good'), { version, words: ['Fixture showcase', words] });
        const { name } = await publish(registry, variant.directory).finally(variant.remove);
        await promote(registry, name, version);
        const promoted = performance.now();
        while (!slotHtml((await getPage(shell + PAGE)).html, 'showcase').includes(words)) {
          assert.ok(performance.now() - promoted < CHANGED_WITHIN_MS, `release ${round} did not come`);
          await wait(20);
        }
      }
    } finally {
      await visits.stop();
    }
    const requests = visits.count();
    assert.deepEqual(visits.failures, []);
    assert.ok(cuts <= requests * MAX_CUT_SHARE, `${cuts} of ${requests} pages without the slot`);
    assert.ok(requests > PUBLISHES * VISITORS, `only ${requests} requests`);
    assert.equal(await startTime(), startedAt);
  });
});

/** What `gate --json` says about a build. */
interface GatedBuild {
  readonly isAccepted: boolean;
  readonly refusals: readonly object[];
  readonly browser: {
    readonly skipped?: string;
    readonly renders?: readonly { readonly slot: string; readonly isGood: boolean }[];
  };
}

describe('the gate of a build', () => {
  const command = join(REPOSITORY, 'infra/tooling/cli/bin/forecourt.mjs');
  /** The gate exits with 1 when it refuses. */
  async function gate(remote: string): Promise<GatedBuild> {
    const words = [command, 'gate', `${remote}/dist`, '--json'];
    const options = { cwd: REPOSITORY, maxBuffer: 64 * 1024 * 1024 };
    const { stdout } = await promisify(execFile)(process.execPath, words, options).catch(
      (error: { readonly stdout: string }) => error,
    );
    return JSON.parse(stdout) as GatedBuild;
  }

  it('hydrates every slot of every remote in a browser without a fault', async function () {
    const results = await Promise.all(
      remoteNames().map(async (remote) => ({ remote, ...(await gate(remote)) })),
    );
    for (const { remote, isAccepted, refusals, browser } of results) {
      assert.deepEqual([remote, isAccepted, refusals], [remote, true, []]);
      // Browsers that WebdriverIO has downloaded are not in the path.
      if (browser.skipped?.includes('CHROME_BIN')) this.skip();
      const { slots } = JSON.parse(readFileSync(join(REPOSITORY, remote, 'dist/release.json'), 'utf8')) as {
        slots: object;
      };
      const hydrated = new Set(browser.renders?.filter(({ isGood }) => isGood).map(({ slot }) => slot));
      assert.deepEqual([remote, [...hydrated].sort()], [remote, Object.keys(slots).sort()]);
    }
  });
});
