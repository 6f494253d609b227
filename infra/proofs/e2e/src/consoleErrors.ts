import { browser } from '@wdio/globals';
import { appendFileSync } from 'node:fs';
import type { Context, Hook, Test } from 'mocha';

/** Console errors of the page during the current test. */
interface ConsoleWatch {
  errors: string[];
  allowed: RegExp[];
  isSubscribed: boolean;
  test: Test | undefined;
}

// The runner's configuration and the test files may each load this module; they must share one list.
const KEY = Symbol.for('forecourt.e2e.consoleErrors');
const shared = globalThis as unknown as { [KEY]?: ConsoleWatch };
const watch = (): ConsoleWatch =>
  (shared[KEY] ??= { errors: [], allowed: [], isSubscribed: false, test: undefined });

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

/** Security errors since the last call. Scripts do not see them, and BiDi does not report them. */
async function securityErrors(): Promise<string[]> {
  const entries = (await browser.getLogs('browser')) as LogEntry[];
  return entries.filter(({ source }) => source === 'security').map(({ message }) => message);
}

/** Errors of this test so far, without the allowed ones. */
async function consoleErrors(): Promise<string[]> {
  const { errors, allowed } = watch();
  return [...errors, ...(await securityErrors())].filter(
    (text) => !allowed.some((pattern) => pattern.test(text)),
  );
}

/** Subscribes to console errors, once per session. */
async function watchConsole(): Promise<void> {
  const state = watch();
  if (state.isSubscribed) return;
  state.isSubscribed = true;
  await browser.sessionSubscribe({ events: ['log.entryAdded'] });
  browser.on('log.entryAdded', ({ level, text, stackTrace }) => {
    if (level !== 'error') return;
    const frame = stackTrace?.callFrames[0];
    watch().errors.push(frame ? `${text} (${frame.url}:${frame.lineNumber + 1})` : (text ?? ''));
  });
}

/** Clears the errors of the last test. */
function resetConsoleErrors(): void {
  Object.assign(watch(), { errors: [], allowed: [] });
}

/** A hook that fails the test it follows; missing from Mocha's types. */
type FailingHook = Hook & { error: (reason: Error) => void };

/** Mocha root hooks around every test: a test fails when its page reports an error. */
export const testHooks = {
  async beforeEach(this: Context): Promise<void> {
    await watchConsole();
    resetConsoleErrors();
    watch().test = this.currentTest;
  },
  async afterEach(this: Context): Promise<void> {
    const errors = await consoleErrors();
    const hasFailed = this.currentTest?.state === 'failed' || errors.length > 0;
    // Fails this test only; a throwing hook would skip the rest of its suite.
    if (errors.length > 0)
      (this.test as FailingHook).error(new Error(`The page reported errors:\n${errors.join('\n')}`));
    const results = process.env['E2E_RESULTS'];
    const outcome = this.currentTest?.isPending() ? 'skipped' : 'passed';
    if (results) appendFileSync(results, hasFailed ? 'failed\n' : `${outcome}\n`);
  },
};
