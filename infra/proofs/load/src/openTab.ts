import { createHash } from 'node:crypto';
import { inFreshBrowser } from '@forecourt/bench/browser';
import { startOwnStack } from '@forecourt/e2e/ownStack';
import { promote, readManifest, releasesOf } from '@forecourt/e2e/releases';
import { distOf } from './builds.ts';
import { PAGE } from './pages.ts';
import { type Proof, required, told } from './proof.ts';
import { publishVariant } from './registryCalls.ts';
import { until } from './until.ts';

const REMOTE = 'mfe-leads';
const NEXT = '9.6.1';
/** Without it the shell would take the tab for a crawler. */
const PERSON =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** Paths of the remote's files that a tab has loaded so far. */
const loadedFiles = (remote: string): string[] =>
  performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name).pathname)
    .filter((path) => path.startsWith(`/remotes/${remote}/`));

export const openTab: Proof = {
  name: 'open-tab',
  title: 'An open tab goes on with the release that it began with',
  limitMs: 4 * 60_000,
  method: `A tab of headless Chromium opens the results and is never idle, so that it loads nothing ahead. Then another release of ${REMOTE} is promoted, the shell uses it and is restarted, so that it never had the tab's release. Only now the visitor opens a dialog, whose parts are loaded lazily. They must come from the tab's own release, byte for byte as published.`,
  async run({ onEnd }) {
    const stack = await startOwnStack();
    onEnd(stack.remove);
    const { shell, 'remote-registry': registry } = stack.urls;
    const began = (await releasesOf(shell))[REMOTE] as string;
    const { files } = readManifest(distOf(REMOTE));
    return inFreshBrowser(async (page) => {
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      await page.setUserAgent({ userAgent: PERSON });
      // A tab that is never idle loads nothing ahead: what the dialog needs is loaded when it is asked for.
      await page.evaluateOnNewDocument(() => {
        window.requestIdleCallback = () => 0;
      });
      await page.goto(shell + PAGE, { waitUntil: 'load' });
      const email = '[data-tile] button[aria-label^="Email Seller"]';
      await page.waitForSelector(email);
      await page.waitForFunction(
        (mark: string) => performance.getEntriesByName(mark).length > 0,
        {},
        'slot:results:hydrated',
      );

      await publishVariant(registry, distOf(REMOTE), NEXT);
      await promote(registry, REMOTE, NEXT);
      await until('the next release', async () => (await releasesOf(shell))[REMOTE] === NEXT);
      await stack.restart('shell');
      const before = new Set(await page.evaluate(loadedFiles, REMOTE));

      await page.click(email);
      await page.waitForSelector('dialog[open] form');
      const after = await page.evaluate(loadedFiles, REMOTE);
      const late = after.filter((path) => !before.has(path));
      const foreign = after.filter((path) => !path.startsWith(`/remotes/${REMOTE}/${began}/`));
      let damaged = 0;
      for (const path of late) {
        const bytes = Buffer.from(await (await fetch(shell + path)).arrayBuffer());
        const integrity = `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
        if (files[path.slice(`/remotes/${REMOTE}/${began}/`.length)]?.integrity !== integrity) damaged += 1;
      }
      const live = (await releasesOf(shell))[REMOTE];
      return [
        told('Release of the tab', began),
        required('Live when the dialog was opened', String(live), NEXT, live === NEXT),
        required('Dialog opened', 'yes', 'yes', true),
        required('Files loaded for it after the deploy', late.length, '≥ 1', late.length >= 1),
        required('Files of another release', foreign.length, '0', foreign.length === 0),
        required('Files that are not as published', damaged, '0', damaged === 0),
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
