import { startOwnStack } from '@forecourt/harness/ownStack';
import { kill } from '@forecourt/harness/processes';
import { deploy, fixtureDist, promote, releasesOf } from '@forecourt/harness/releases';
import { slotHtml } from '@forecourt/harness/serverHtml';
import { startVisitors } from '@forecourt/harness/visitors';
import { completePage, PAGE, visitPageAndFile } from './pages.ts';
import { type Finding, noFailures, type Proof, required, until } from './proof.ts';
import { publishVariant } from './registry.ts';

const VISITORS = 2;
const OUTAGE_MS = 10_000;

/** Requests pages and files of a release for `ms`. */
async function visitFor(ms: number, shell: string, name: string, version: string) {
  const visits = startVisitors(VISITORS, 20, async () => {
    const html = await visitPageAndFile(shell, PAGE, name);
    if (!html.includes(`/remotes/${name}/${version}/`)) throw new Error('the page uses another release');
  });
  await new Promise((resolve) => setTimeout(resolve, ms));
  await visits.stop();
  return visits;
}

/** Publishes and promotes a release after the outage; the page must show it. */
async function deployAfterOutage(shell: string, registry: string, name: string): Promise<Finding> {
  const words = 'Fixture showcase, after the outage';
  await publishVariant(registry, fixtureDist('good'), '9.7.1', ['Fixture showcase', words]);
  await promote(registry, name, '9.7.1');
  const isShown = await until('the page shows the release', async () =>
    slotHtml(await completePage(shell + PAGE), 'showcase').includes(words),
  ).then(
    () => true,
    () => false,
  );
  return required('Release promoted after the outage', isShown ? 'shown' : 'not shown', 'shown', isShown);
}

export const lostRegistry: Proof = {
  name: 'registry-away',
  title: 'A shell continues without the registry, also after a restart',
  limitMs: 4 * 60_000,
  method: `The registry is killed while ${VISITORS} visitors request pages and files of their releases. After ${OUTAGE_MS / 1000} s the shell is restarted, too. Then the registry is started again, and a release is published and promoted.`,
  async run({ onEnd, say }) {
    const stack = await startOwnStack();
    onEnd(stack.remove);
    const { shell, 'remote-registry': registry } = stack.urls;
    const { name, version } = await deploy(stack.urls, fixtureDist('good'));
    const releases = await releasesOf(shell);

    await kill(stack.pids['remote-registry']);
    say('the registry is down');
    const outage = await visitFor(OUTAGE_MS, shell, name, version);
    await stack.restart('shell');
    say('the shell was restarted');
    const isSame = JSON.stringify(await releasesOf(shell)) === JSON.stringify(releases);
    const restarted = await visitFor(OUTAGE_MS, shell, name, version);

    await stack.restart('remote-registry');
    return [
      noFailures('visits during the outage', outage.count(), outage.failures),
      required('Releases after the restart of the shell', isSame ? 'same' : 'different', 'same', isSame),
      noFailures('visits after the restart', restarted.count(), restarted.failures),
      await deployAfterOutage(shell, registry, name),
    ];
  },
};
