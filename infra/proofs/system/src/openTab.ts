import { createHash } from 'node:crypto';
import { inFreshBrowser } from '@forecourt/harness/browser';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { promote, readManifest, releasesOf } from '@forecourt/harness/releases';
import { BROWSER_USER_AGENT } from '@forecourt/harness/serverHtml';
import { PAGE } from './pages.ts';
import { type Proof, reported, required, until } from './proof.ts';
import { distOf, publishVariant } from './registry.ts';

/** A remote with lazily loaded chunks, and its release after the tab's. */
const TAB_REMOTE = 'mfe-leads';
const TAB_NEXT = '9.6.1';

/** Paths of the remote's files that a tab has loaded so far. */
const loadedFiles = (remote: string): string[] =>
  performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name).pathname)
    .filter((path) => path.startsWith(`/remotes/${remote}/`));

export const openTab: Proof = {
  name: 'open-tab',
  title: 'An open tab continues with the release that it started with',
  limitMs: 4 * 60_000,
  method: `A tab of headless Chromium opens the results page and is never idle, so it prefetches nothing. Then another release of ${TAB_REMOTE} is promoted, and the shell is restarted, so that this process never had the tab's release. Then the visitor opens a dialog with lazily loaded chunks. They must come from the tab's release, byte for byte as published.`,
  async run({ onEnd }) {
    const stack = await startOwnStack();
    onEnd(stack.remove);
    const { shell, 'remote-registry': registry } = stack.urls;
    const tabRelease = (await releasesOf(shell))[TAB_REMOTE] as string;
    const { files } = readManifest(distOf(TAB_REMOTE));
    return inFreshBrowser(async (page) => {
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      await page.setUserAgent({ userAgent: BROWSER_USER_AGENT });
      // A tab that is never idle prefetches nothing: the dialog's chunks are loaded when it opens.
      await page.evaluateOnNewDocument(() => {
        window.requestIdleCallback = () => 0;
      });
      await page.goto(shell + PAGE, { waitUntil: 'load' });
      const email = '[data-tile] button[aria-label^="Email Seller"]:not(details *)';
      await page.waitForSelector(email);
      await page.waitForFunction(
        (mark: string) => performance.getEntriesByName(mark).length > 0,
        {},
        'slot:results:hydrated',
      );

      await publishVariant(registry, distOf(TAB_REMOTE), TAB_NEXT);
      await promote(registry, TAB_REMOTE, TAB_NEXT);
      await until(
        'the shell uses the next release',
        async () => (await releasesOf(shell))[TAB_REMOTE] === TAB_NEXT,
      );
      await stack.restart('shell');
      const before = new Set(await page.evaluate(loadedFiles, TAB_REMOTE));

      await page.click(email);
      await page.waitForSelector('dialog[open] form');
      const after = await page.evaluate(loadedFiles, TAB_REMOTE);
      const lateFiles = after.filter((path) => !before.has(path));
      const foreign = after.filter((path) => !path.startsWith(`/remotes/${TAB_REMOTE}/${tabRelease}/`));
      let altered = 0;
      for (const path of lateFiles) {
        const bytes = Buffer.from(await (await fetch(shell + path)).arrayBuffer());
        const integrity = `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
        if (files[path.slice(`/remotes/${TAB_REMOTE}/${tabRelease}/`.length)]?.integrity !== integrity)
          altered += 1;
      }
      const live = (await releasesOf(shell))[TAB_REMOTE];
      return [
        reported('Release of the tab', tabRelease),
        required('Live release when the dialog opened', String(live), TAB_NEXT, live === TAB_NEXT),
        required('Dialog opened', 'yes', 'yes', true),
        required('Files loaded after the deploy', lateFiles.length, '≥ 1', lateFiles.length >= 1),
        required('Files of another release', foreign.length, '0', foreign.length === 0),
        required('Files that differ from those published', altered, '0', altered === 0),
        required(
          'Errors in the tab',
          errors.length === 0 ? '0' : errors.join('; '),
          '0',
          errors.length === 0,
        ),
      ];
    });
  },
};
