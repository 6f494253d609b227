import { browser } from '@wdio/globals';

/** From the page that says 'Check your mail' to the newest mail of an address, and to where its link leads. */
export async function followMail(email: string): Promise<void> {
  await browser.$('a=Open the mails of this machine').click();
  await browser.$(`//ol/li[contains(., "${email}")][1]//a`).click();
}

/** From that page of a sign-up back to the shop. */
export async function confirmAddress(email: string): Promise<void> {
  await followMail(email);
  await browser.$('button=Confirm and sign in').click();
}
