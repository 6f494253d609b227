import { browser } from '@wdio/globals';
import { shellOrigin } from './origins.ts';

/** Clears storage and cookies of earlier tests: a first-time visitor. */
export async function startFreshVisit(): Promise<void> {
  await browser.url(`${shellOrigin()}/health/live`);
  await browser.execute(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await browser.deleteCookies();
}

/** From the 'Check your email' page, opens the newest email to an address and follows its link. */
export async function followEmail(email: string): Promise<void> {
  await browser.$('a=Open the mails of this machine').click();
  await browser.$(`//ol/li[contains(., "${email}")][1]//a`).click();
}

/** Confirms a sign-up through its email and returns to the site. */
export async function confirmAddress(email: string): Promise<void> {
  await followEmail(email);
  await browser.$('button=Confirm and sign in').click();
}
