import { browser } from '@wdio/globals';
import { appendFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { BrowserTestResult } from '@forecourt/local';
import type { Context, Hook, Suite, Test } from 'mocha';

interface ConsoleWatch {
  /** Errors that the current test expects. */
  allowed: RegExp[];
  test: Test | undefined;
  /** Why the current test failed, and what the page looked like then. */
  failure: string;
  /** When the last test or the browser's reset between two files ended, in ms of `performance.now()`. */
  previousEndedMs: number;
}

// The runner's configuration and the test files may each load this module; they must share one list.
const KEY = Symbol.for('forecourt.e2e.consoleErrors');
const shared = globalThis as unknown as { [KEY]?: ConsoleWatch };
const watch = (): ConsoleWatch =>
  (shared[KEY] ??= { allowed: [], test: undefined, failure: '', previousEndedMs: performance.now() });

/** Ignores matching errors until the end of this test, for pages that are broken on purpose. */
export function allowConsoleErrors(...patterns: RegExp[]): void {
  watch().allowed.push(...patterns);
}

/** Skips the current test, which can't run against this page; without one, e.g. in a `before` hook, does nothing. */
export function skipTest(): void {
  watch().test?.skip();
}

interface LogEntry {
  readonly source: string;
  readonly message: string;
}

/** Errors that the browser reports since the last call; those of its network are no errors of the page. */
async function consoleErrors(): Promise<string[]> {
  const entries = (await browser.getLogs('browser')) as LogEntry[];
  return entries.filter(({ source }) => source !== 'network').map(({ message }) => message);
}

/** State of the page that tells a lost click from a slow server, in one line. */
const describePage = (): Promise<string> =>
  browser
    .execute(() => {
      const marks = performance
        .getEntriesByType('mark')
        .map(({ name }) => /^slot:(.+):hydrated$/.exec(name)?.[1]);
      const { readyState, activeElement } = document;
      return [
        `at ${location.pathname}${location.search} after ${Math.round(performance.now())} ms, ${readyState}`,
        `scrolled to ${Math.round(window.scrollY)}`,
        `interactive: ${marks.filter(Boolean).join(' ')}`,
        `focus: ${activeElement?.outerHTML.slice(0, 120)}`,
        `list busy: ${document.getElementById('listings')?.ariaBusy}`,
        `alerts: ${[...document.querySelectorAll('[role=alert]')].map((alert) => alert.textContent).join(' ')}`,
      ].join('; ');
    })
    .catch((error: unknown) => `no page: ${String(error)}`);

/** For the summary of the run. Called before the hooks after the test. */
export async function noteFailure(error: unknown): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error);
  watch().failure = `${reason}\n${await describePage()}`;
}

/** What a test leaves in the browser that its file shares with others: storage of any origin, settings, windows. */
async function resetBrowser(): Promise<void> {
  const [first = '', ...others] = await browser.getWindowHandles();
  for (const handle of others) {
    await browser.switchToWindow(handle);
    await browser.closeWindow();
  }
  await browser.switchToWindow(first);
  await browser.url('about:blank');
  const commands: readonly (readonly [string, object])[] = [
    ['Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' }],
    ['Network.clearBrowserCookies', {}],
    ['Network.clearBrowserCache', {}],
    ['Browser.resetPermissions', {}],
    ['Emulation.clearDeviceMetricsOverride', {}],
    ['Emulation.setEmulatedMedia', { features: [] }],
  ];
  for (const [command, parameters] of commands) await browser.sendCommand(command, parameters);
}

/** Mocha's first hooks of a suite; missing from its types. */
interface FirstHooks {
  readonly _beforeAll: Hook[];
}

/** Before the first suite of each file the browser is reset. */
function resetBetweenFiles(root: Suite): void {
  let file: string | undefined;
  for (const suite of root.suites) {
    if (suite.file === file) continue;
    file = suite.file;
    suite.beforeAll('reset the browser', resetBrowser);
    const { _beforeAll: hooks } = suite as unknown as FirstHooks;
    hooks.unshift(...hooks.splice(-1));
  }
}

/** A hook that fails the test it follows; missing from Mocha's types. */
type FailingHook = Hook & { error: (reason: Error) => void };

/** Adds a line about the test to the file that `npm test` reads. */
function writeResult(test: Test, reported: string): void {
  const results = process.env['E2E_RESULTS'];
  if (!results) return;
  const outcome = test.state === 'failed' || reported ? 'failed' : test.isPending() ? 'skipped' : 'passed';
  const file = basename(test.file ?? '');
  const title = `${file}: ${test.fullTitle()}`;
  const reason = [watch().failure, reported].filter(Boolean).join('\n');
  const now = performance.now();
  const result: BrowserTestResult = { outcome, file, title, ms: now - watch().previousEndedMs, reason };
  watch().previousEndedMs = now;
  appendFileSync(results, `${JSON.stringify(result)}\n`);
}

/** Mocha root hooks around every test: a test fails when its page reports an error. */
export const testHooks = {
  beforeAll(this: Context): void {
    resetBetweenFiles((this.test as unknown as { parent: Suite }).parent);
  },
  async beforeEach(this: Context): Promise<void> {
    await consoleErrors();
    Object.assign(watch(), { allowed: [], test: this.currentTest, failure: '' });
  },
  async afterEach(this: Context): Promise<void> {
    const { allowed } = watch();
    const errors = (await consoleErrors()).filter((text) => !allowed.some((pattern) => pattern.test(text)));
    const reported = errors.length > 0 ? `The page reported errors:\n${errors.join('\n')}` : '';
    // Fails this test only; a throwing hook would skip the rest of its suite.
    if (reported) (this.test as FailingHook).error(new Error(reported));
    if (this.currentTest) writeResult(this.currentTest, reported);
  },
};
