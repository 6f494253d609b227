import { browser } from '@wdio/globals';
import { shellOrigin } from './origins.ts';

/** Forgets what the tests before have left in the browser: a visitor who was never here. */
export async function becomeNewVisitor(): Promise<void> {
  await browser.url(`${shellOrigin()}/health/live`);
  await browser.execute(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await browser.deleteCookies();
}
