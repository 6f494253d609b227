import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { hostileRelease, hostiles, type Hostile } from './hostileRelease.ts';
import { startOwnStack } from './ownStack.ts';
import { deploy, fixtureDist } from './releases.ts';
import { getPage, listingIds, slotHtml } from './serverHtml.ts';

const PAGE = '/cars-for-sale/all/ford';
const STARTUP_MS = 60_000;
/** Two calm pages, and then the attack: with each page, or until its process is killed. */
const PAGES = 6;

const FIXTURES = await hostiles();

type OwnStack = Awaited<ReturnType<typeof startOwnStack>>;

interface Isolation {
  readonly level: string;
  readonly trouble: Readonly<Record<string, unknown>>;
}

async function isolationOf(stack: OwnStack): Promise<Isolation> {
  const response = await fetch(`${stack.urls.shell}/health/ready`);
  return ((await response.json()) as { isolation: Isolation }).isolation;
}

/** Runs the tests against a stack of its own at one level of isolation. */
function withStack(
  title: string,
  environment: { readonly RELEASE_SANDBOX?: string; readonly SLOT_RENDERER?: string },
  tests: (
    attacked: (hostile: Hostile) => Promise<{ shown: string; release: string }>,
    stack: () => OwnStack,
  ) => void,
): void {
  describe(title, () => {
    let stack: OwnStack;
    let vehicles: number;
    let deployed = 0;

    before(async function () {
      this.timeout(STARTUP_MS);
      stack = await startOwnStack({ environment });
      await deploy(stack.urls, fixtureDist('good'));
      vehicles = listingIds((await getPage(stack.urls.shell + PAGE)).html).length;
      assert.ok(vehicles > 10);
    });
    after(() => stack?.remove());

    /** Deploys the fixture, requests pages that must be whole, and returns what its slot showed at last. */
    async function attacked(hostile: Hostile) {
      deployed += 1;
      const version = `6.6.${deployed}`;
      const release = hostileRelease(hostile, { version, port: stack.ports['remote-registry'] });
      try {
        await deploy(stack.urls, release.directory);
      } finally {
        release.remove();
      }
      let shown = '';
      for (let at = 0; at < PAGES; at += 1) {
        const { status, html } = await getPage(stack.urls.shell + PAGE);
        assert.equal(status, 200);
        assert.ok(html.endsWith('</html>'), 'the page is complete');
        assert.equal(listingIds(html).length, vehicles, 'the results are whole');
        for (const slot of ['results', 'filters', 'toolbar'])
          assert.doesNotMatch(slotHtml(html, slot), /LOOT|FORGED|POLLUTED|Hostile/, `slot ${slot} is intact`);
        assert.match(slotHtml(html, 'filters'), /aria-label="Filters"/);
        // A killed process is calm at first, so that the last page may show nothing of the attack.
        const own = slotHtml(html, 'showcase');
        if (!own.includes('>calm<')) shown = own;
      }
      return { shown, release: `mfe-showcase@${version}` };
    }
    tests(attacked, () => stack);
  });
}

const isolated = (level: string) =>
  withStack(`at the level ${level} a hostile release`, { RELEASE_SANDBOX: level }, (attacked, stack) => {
    it('runs at that level', async () => {
      assert.equal((await isolationOf(stack())).level, level);
    });

    for (const hostile of FIXTURES) {
      // What only namespaces stop shows here that its fixture is a real attack.
      const isStopped = level === 'namespaces' || hostile.stoppedBy !== 'namespaces';
      it(`${hostile.name.replaceAll('-', ' ')}: ${isStopped ? 'gets nothing' : 'succeeds'}`, async function () {
        this.timeout(30_000);
        const { shown, release } = await attacked(hostile);
        if (!isStopped) return assert.match(shown, /LOOT/);
        assert.doesNotMatch(shown, /LOOT/);
        if (hostile.outcome === 'contained') assert.match(shown, />attacked/);
        if (hostile.outcome !== 'fallback') return undefined;
        assert.doesNotMatch(shown, /<section/);
        const metrics = await (await fetch(`${stack().urls.shell}/metrics`)).text();
        assert.match(
          metrics,
          new RegExp(
            `forecourt_slot_failures_total\\{slot="showcase",release="${release}",code="[A-Z_]+"\\}`,
          ),
        );
        return undefined;
      });
    }
  });

isolated('namespaces');
isolated('process');

withStack('without isolation a hostile release', { SLOT_RENDERER: 'inline' }, (attacked) => {
  for (const hostile of FIXTURES.filter(
    ({ stoppedBy, outcome }) => ['process', 'namespaces'].includes(stoppedBy) && outcome === 'contained',
  ))
    it(`${hostile.name.replaceAll('-', ' ')}: succeeds`, async () => {
      assert.match((await attacked(hostile)).shown, /LOOT/);
    });
});
