import { deploy, fixtureDist } from '@forecourt/e2e/releases';
import type { Stack } from '@forecourt/local';
import { completePage, entryPath } from '../pages.ts';
import { until } from '../processes.ts';
import { type Finding, noFailures } from '../proof.ts';
import { rollBack } from '../registry.ts';

const PAGE = '/cars-for-sale/all/ford';
const REMOTE = 'mfe-showcase';

async function bytesOf(url: string): Promise<Buffer> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`status ${response.status} for ${url}`);
  return Buffer.from(await response.arrayBuffer());
}

/** Tabs of another release than the live one get their files and data, after a promote, a restart and a rollback. */
export async function versionSkew(stack: Stack): Promise<readonly Finding[]> {
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
