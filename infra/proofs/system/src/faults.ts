import { startOwnStack } from '@forecourt/harness/ownStack';
import { getPage, listingIds, slotHtml } from '@forecourt/harness/serverHtml';
import { freePort, type Stack } from '@forecourt/local';
import { runMatrix } from './faults/matrix.ts';
import { apiKills, identityAway, registryKills, shortOutage } from './faults/outages.ts';
import { pressure, slowClients, soak } from './faults/pressure.ts';
import { Shopper, signUp } from '@forecourt/harness/shopper';
import { PAGE, completePage, entryPath } from './pages.ts';
import { type Finding, type Proof, required, noFailures, until } from './proof.ts';
import { deploy, fixtureDist } from '@forecourt/harness/releases';
import { rollBack } from './registry.ts';

const REMOTE = 'mfe-showcase';

async function bytesOf(url: string): Promise<Buffer> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`status ${response.status} for ${url}`);
  return Buffer.from(await response.arrayBuffer());
}

/** Tabs of another release than the live one get their files and data, after a promote, a restart and a rollback. */
async function versionSkew(stack: Stack): Promise<readonly Finding[]> {
  const { shell, 'remote-registry': registry } = stack.urls;
  const failures: string[] = [];
  let checks = 0;
  const tab = async () => {
    const entry = entryPath(await completePage(shell + PAGE), REMOTE);
    const bytes = await bytesOf(shell + entry);
    return async (when: string) => {
      checks += 1;
      try {
        if (!(await bytesOf(shell + entry)).equals(bytes)) throw new Error('the file has changed');
        await bytesOf(`${shell}/cars-for-sale/api/search?url=${encodeURIComponent(PAGE)}`);
      } catch (error) {
        failures.push(`${when}: ${error instanceof Error ? error.message : String(error)}`);
      }
    };
  };
  const checkOld = await tab();
  const { version } = await deploy(stack.urls, fixtureDist('good'));
  const isLive = async () => (await completePage(shell + PAGE)).includes(`/remotes/${REMOTE}/${version}/`);
  await until('the page uses the release', isLive);
  const checkNew = await tab();
  await checkOld('the tab from before the promote');
  await stack.restart('shell');
  await checkOld('the old tab after a restart');
  await rollBack(registry, REMOTE);
  await until('the page uses the release before', async () => !(await isLive()));
  await checkNew('the tab from before the rollback');
  await stack.restart('shell');
  await checkNew('the newer tab after a restart');
  return [noFailures('checks of tabs with another release', checks, failures)];
}

const MINUTE = 60_000;
const FIRST_PAGE = '/cars-for-sale/all/ford/f150?searchRadius=50&zip=60601';

/** The first page after a start names the city of its ZIP code. */
async function firstPage(shell: string): Promise<{ finding: Finding; ids: readonly string[] }> {
  const { html } = await getPage(shell + FIRST_PAGE);
  const isNamed = slotHtml(html, 'location-editor').includes('Chicago, IL');
  return {
    finding: required(
      'First page after the start',
      isNamed ? 'names the city' : 'ZIP only',
      'names the city',
      isNamed,
    ),
    ids: listingIds((await getPage(shell + PAGE)).html).slice(0, 20),
  };
}

export const faults: Proof = {
  name: 'faults',
  title: 'Faults cost only their own part, and do not linger',
  limitMs: 15 * MINUTE,
  method:
    'One stack without page cache. Each call of each page kind fails in four modes (error, dropped connection, invalid body, 3.5 s late), signed in and out: the page must have everything else, and a late optional call must not delay its first byte beyond 1.5 s. Then all calls fail for a second, identity, registry and API are killed, more visitors come than the shell has capacity for, clients do not read, pages are requested for two minutes without faults, and tabs of another release than the live one get their files. Liveness is probed on `PROBE_PORT` with new connections from another process.',
  async run({ onEnd, say }) {
    const probePort = await freePort();
    const stack = await startOwnStack({ environment: { PROBE_PORT: String(probePort) } });
    onEnd(stack.remove);
    const { shell, identity } = stack.urls;
    const { finding, ids } = await firstPage(shell);
    const shoppers = { signedIn: await signUp(shell, identity), signedOut: new Shopper() };
    const findings: Finding[] = [finding];
    const steps: readonly (readonly [string, () => Promise<readonly Finding[]>])[] = [
      ['tabs of other releases', () => versionSkew(stack)],
      ['calls that fail', () => runMatrix(stack, shoppers, { ids, say })],
      ['an outage of a second', () => shortOutage(stack)],
      ['identity away', () => identityAway(stack, shoppers)],
      ['kills of the registry', () => registryKills(stack)],
      ['kills of the API', () => apiKills(stack, shoppers.signedIn, ids)],
      ['clients that do not read', () => slowClients(stack)],
      ['two minutes without faults', () => soak(stack, shoppers, ids)],
      ['more visitors than capacity', () => pressure(stack, probePort)],
    ];
    for (const [step, run] of steps) {
      say(step);
      // The other steps are worth knowing, too.
      await run().then(
        (found) => findings.push(...found),
        (error: unknown) => findings.push(required(step, `stopped: ${String(error)}`, 'no error', false)),
      );
    }
    return findings;
  },
};
