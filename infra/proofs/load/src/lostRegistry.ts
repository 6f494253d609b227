import { kill, startOwnStack } from '@forecourt/e2e/ownStack';
import { deploy, fixtureDist, promote, releasesOf } from '@forecourt/e2e/releases';
import { startVisitors } from '@forecourt/e2e/visitors';
import { PAGE, slotHtml, visitPageAndFile, wholePage } from './pages.ts';
import { listed, type Proof, required } from './proof.ts';
import { publishVariant } from './registryCalls.ts';
import { until } from './until.ts';

const VISITORS = 2;
const AWAY_MS = 10_000;

export const lostRegistry: Proof = {
  name: 'registry-away',
  title: 'Without its registry a shell goes on, also across its own restart',
  limitMs: 4 * 60_000,
  method: `The registry is killed while ${VISITORS} visitors ask for pages and for files of the releases that these were made of. After ${AWAY_MS / 1000} s the shell is restarted, too. Then the registry comes back, and a release is published and promoted.`,
  async run({ onEnd, say }) {
    const stack = await startOwnStack();
    onEnd(stack.remove);
    const { shell, 'remote-registry': registry } = stack.urls;
    const { name, version } = await deploy(stack.urls, fixtureDist('good'));
    const releases = await releasesOf(shell);
    const watch = async (ms: number) => {
      let count = 0;
      const visits = startVisitors(VISITORS, 20, async () => {
        const html = await visitPageAndFile(shell, PAGE, name);
        if (!html.includes(`/remotes/${name}/${version}/`)) throw new Error('a page of another release');
        count += 1;
      });
      await new Promise((resolve) => setTimeout(resolve, ms));
      await visits.stop();
      return { count, failures: visits.failures };
    };

    await kill(stack.pids['remote-registry']);
    say('the registry is gone');
    const away = await watch(AWAY_MS);
    await stack.restart('shell');
    say('the shell was restarted');
    const same = JSON.stringify(await releasesOf(shell)) === JSON.stringify(releases);
    const anew = await watch(AWAY_MS);

    await stack.restart('remote-registry');
    const words = 'Fixture showcase, after the outage';
    await publishVariant(registry, fixtureDist('good'), '9.7.1', ['Fixture showcase', words]);
    await promote(registry, name, '9.7.1');
    let isBack = true;
    await until('the release after the outage', async () =>
      slotHtml(await wholePage(shell + PAGE), 'showcase').includes(words),
    ).catch(() => {
      isBack = false;
    });
    return [
      required(
        `Failed of ${away.count} pages and files while it was away`,
        listed(away.failures),
        '0',
        away.failures.length === 0 && away.count > 0,
      ),
      required('Releases after the restart of the shell', same ? 'the same' : 'others', 'the same', same),
      required(
        `Failed of ${anew.count} pages and files after that`,
        listed(anew.failures),
        '0',
        anew.failures.length === 0 && anew.count > 0,
      ),
      required(
        'A release that is promoted when it is back',
        isBack ? 'is shown' : 'is not shown',
        'is shown',
        isBack,
      ),
    ];
  },
};
