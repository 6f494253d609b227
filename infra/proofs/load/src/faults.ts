import { startOwnStack } from '@forecourt/e2e/ownStack';
import { getPage, listingIds, slotHtml } from '@forecourt/e2e/serverHtml';
import { freePort } from '@forecourt/local';
import { runMatrix } from './faults/matrix.ts';
import { apiKills, identityAway, registryKills, shortOutage } from './faults/outages.ts';
import { pressure, slowClients, soak } from './faults/pressure.ts';
import { Shopper, signUp } from './faults/shopper.ts';
import { versionSkew } from './faults/skew.ts';
import { PAGE } from './pages.ts';
import { type Finding, type Proof, required } from './proof.ts';

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
