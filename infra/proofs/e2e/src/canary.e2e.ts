import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { startOwnStack } from './ownStack.ts';
import { deploy, fixtureDist, publish } from './releases.ts';
import { getPage, slotHtml } from './serverHtml.ts';

const PAGE = '/cars-for-sale/all/ford';
/** Half of them get the canary; five failures against none of the live release are enough. */
const VISITORS = 60;
const ENDED_WITHIN_MS = 10_000;

interface Change {
  readonly by: string;
  readonly verb: string;
  readonly why?: string;
  readonly after: { readonly live: string; readonly canary?: unknown };
}

describe('a canary that fails clearly more often than the live release', () => {
  let stack: Awaited<ReturnType<typeof startOwnStack>>;
  before(async function () {
    this.timeout(60_000);
    stack = await startOwnStack();
    await deploy(stack.urls, fixtureDist('good'));
  });
  after(() => stack?.remove());

  const history = async (): Promise<Change[]> => {
    const url = `${stack.urls['remote-registry']}/api/remotes/mfe-showcase/history`;
    return ((await (await fetch(url)).json()) as { changes: Change[] }).changes;
  };

  it('ends a canary that fails more often than the live release, with the reason in the history', async () => {
    const { shell, 'remote-registry': registry } = stack.urls;
    const { name, version } = await publish(registry, fixtureDist('throws-in-render'));
    const canary = await fetch(`${registry}/api/remotes/${name}/canary`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ version, weight: 50 }),
    });
    assert.equal(canary.status, 200);
    const started = Date.now();
    let newest = (await history())[0];
    for (let visitor = 0; newest?.by !== 'shell'; visitor += 1) {
      assert.ok(visitor < VISITORS || Date.now() - started < ENDED_WITHIN_MS, 'nobody ended the canary');
      const { status, html } = await getPage(shell + PAGE);
      assert.equal(status, 200);
      assert.ok(html.endsWith('</html>'));
      newest = (await history())[0];
    }
    assert.equal(newest.after.canary, undefined);
    assert.match(newest.why ?? '', /^the canary failed \d+ of \d+ times, \S+ \d+ of \d+ times/);
    for (let visitor = 0; visitor < 10; visitor += 1)
      assert.match(slotHtml((await getPage(shell + PAGE)).html, 'showcase'), /Fixture showcase/);
  });
});
