import { appendFileSync } from 'node:fs';
import type { Context, Hook } from 'mocha';
import { consoleErrors, forgetConsoleErrors, watchConsole } from './consoleErrors.ts';

/** A hook that fails the test it follows; Mocha's types leave it out. */
type FailingHook = Hook & { error: (reason: Error) => void };

/** Mocha root hooks, around every test of every file: a test during which the page reports an error fails. */
export const testHooks = {
  async beforeEach(): Promise<void> {
    await watchConsole();
    forgetConsoleErrors();
  },
  async afterEach(this: Context): Promise<void> {
    const errors = await consoleErrors();
    const hasFailed = this.currentTest?.state === 'failed' || errors.length > 0;
    // Fails the test and lets the others of its suite run; a throwing hook would skip them.
    if (errors.length > 0)
      (this.test as FailingHook).error(new Error(`The page reported errors:\n${errors.join('\n')}`));
    const results = process.env['E2E_RESULTS'];
    if (results) appendFileSync(results, hasFailed ? 'failed\n' : 'passed\n');
  },
};
