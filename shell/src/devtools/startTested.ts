import type { StartedPage } from '../browser/startPage.ts';
import type { BootData } from '../page/bootData.ts';
import { bootWithLocalBuilds } from './localBuilds.ts';

/**
 * Starts a tester's page: with the builds that only this browser can fetch,
 * and with the devtools when they are open. They are there before the page
 * starts, so that they miss no event.
 */
export async function startTested(boot: BootData, start: (boot: BootData) => StartedPage): Promise<void> {
  const { tester } = boot;
  const [given, devtools] = await Promise.all([
    tester && tester.inBrowser.length > 0 ? bootWithLocalBuilds(boot) : boot,
    tester?.hasDevtools
      ? import(/* webpackChunkName: "devtools-panel" */ './openDevtools.tsx').catch((error: unknown) => {
          // The page is worth more than its devtools.
          reportError(error);
          return undefined;
        })
      : undefined,
  ]);
  const page = start(given);
  if (tester) devtools?.openDevtools({ ...page, tester });
}
