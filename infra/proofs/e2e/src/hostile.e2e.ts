import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { hostileRelease, hostiles, type Hostile } from './hostileRelease.ts';
import { startOwnStack } from './ownStack.ts';
import { deploy, fixtureDist } from './releases.ts';
import { getPage, listingIds, slotHtml } from './serverHtml.ts';

const PAGE = '/cars-for-sale/all/ford';
const STARTUP_MS = 60_000;
/** Two pages before the attack starts, then one attack per page until the process is killed. */
const PAGES = 6;

const FIXTURES = await hostiles();

type OwnStack = Awaited<ReturnType<typeof startOwnStack>>;

interface Readiness {
  readonly isolation: { readonly level: string };
  /** Code of the last failure, by release and slot. */
  readonly failing?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

async function readinessOf(stack: OwnStack): Promise<Readiness> {
  const response = await fetch(`${stack.urls.shell}/health/ready`);
  return (await response.json()) as Readiness;
}

/** Asserts that operators learn which release failed: by metrics, readiness and log. */
async function assertNamed(stack: OwnStack, release: string): Promise<void> {
  const metrics = await (await fetch(`${stack.urls.shell}/metrics`)).text();
  assert.match(
    metrics,
    new RegExp(`forecourt_slot_failures_total\\{slot="showcase",release="${release}",code="[A-Z_]+"\\}`),
  );
  assert.ok((await readinessOf(stack)).failing?.[release]?.['showcase'], 'readiness names the release');
  const log = readFileSync(join(stack.dataDir, 'logs/shell.log'), 'utf8');
  assert.ok(log.includes(release), 'the log names the release');
}

/** Runs the tests against their own stack at one isolation level. */
function withStack(
  title: string,
  environment: { readonly RELEASE_SANDBOX?: string; readonly SLOT_RENDERER?: string },
  tests: (
    runAttack: (hostile: Hostile) => Promise<{ slotContent: string; release: string }>,
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

    /** Deploys the fixture, asserts that pages are complete, and returns the last HTML of its slot. */
    async function runAttack(hostile: Hostile) {
      deployed += 1;
      const version = `6.6.${deployed}`;
      const release = hostileRelease(hostile, { version, port: stack.ports['remote-registry'] });
      try {
        await deploy(stack.urls, release.directory);
      } finally {
        release.remove();
      }
      let slotContent = '';
      for (let at = 0; at < PAGES; at += 1) {
        const { status, html } = await getPage(stack.urls.shell + PAGE);
        assert.equal(status, 200);
        assert.ok(html.endsWith('</html>'), 'the page is complete');
        assert.equal(listingIds(html).length, vehicles, 'the results are whole');
        for (const slot of ['results', 'filters', 'toolbar'])
          assert.doesNotMatch(slotHtml(html, slot), /LOOT|FORGED|POLLUTED|Hostile/, `slot ${slot} is intact`);
        assert.match(slotHtml(html, 'filters'), /aria-label="Filters"/);
        // A restarted process doesn't attack at first, so the last page may not show the attack.
        const own = slotHtml(html, 'showcase');
        if (!own.includes('>calm<')) slotContent = own;
      }
      return { slotContent, release: `mfe-showcase@${version}` };
    }
    tests(runAttack, () => stack);
  });
}

/** Only root can give a release another user, whose signals do not reach other processes. */
const needsNamespaces = ({ name, stoppedBy }: Hostile): boolean =>
  stoppedBy === 'namespaces' || (name.startsWith('signals-') && process.getuid?.() !== 0);

/** Whether this machine lets bubblewrap create namespaces: some containers do not. */
const hasNamespaces = (): boolean =>
  spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true'], { timeout: 10_000 }).status === 0;

const isolated = (level: string) =>
  withStack(`at the level ${level} a hostile release`, { RELEASE_SANDBOX: level }, (runAttack, stack) => {
    it('reports the configured isolation level', async () => {
      assert.equal((await readinessOf(stack())).isolation.level, level);
    });

    for (const hostile of FIXTURES) {
      // Attacks that only namespaces stop must succeed here, which proves that the fixtures are real.
      const isStopped = level === 'namespaces' || !needsNamespaces(hostile);
      it(`${isStopped ? 'stops' : 'does not stop'} the attack ${hostile.name} at the level ${level}`, async function () {
        this.timeout(30_000);
        const { slotContent, release } = await runAttack(hostile);
        if (!isStopped) return assert.match(slotContent, /LOOT/);
        assert.doesNotMatch(slotContent, /LOOT/);
        if (hostile.outcome === 'contained') assert.match(slotContent, />attacked/);
        if (hostile.outcome !== 'fallback') return undefined;
        assert.doesNotMatch(slotContent, /<section/);
        await assertNamed(stack(), release);
        return undefined;
      });
    }
  });

if (hasNamespaces()) isolated('namespaces');
else it('stops hostile releases at the level namespaces, which this machine does not support');
isolated('process');

withStack('without isolation a hostile release', { SLOT_RENDERER: 'inline' }, (runAttack) => {
  for (const hostile of FIXTURES.filter(
    ({ stoppedBy, outcome }) => ['process', 'namespaces'].includes(stoppedBy) && outcome === 'contained',
  ))
    it(`does not stop the attack ${hostile.name} without isolation`, async () => {
      assert.match((await runAttack(hostile)).slotContent, /LOOT/);
    });
});
