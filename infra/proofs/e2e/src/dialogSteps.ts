import { browser } from '@wdio/globals';
import { F150_NEAR_CHICAGO } from './origins.ts';
import { openResults } from './resultsPage.ts';

/** Slots that dialog tests wait for. */
export const WITH_DIALOGS = ['toolbar', 'filters', 'results', 'leads'];
/** A card's email button. */
export const EMAIL = 'button[aria-label^="Email Seller"]';

/** An unused email address. */
export const newAddress = (name: string): string => `${name}.${Date.now()}@example.com`;

/** Clicks the nth match of a selector, even outside the viewport. */
export const press = (selector: string, at = 0): Promise<void> =>
  browser.execute(
    (target: string, index: number) => document.querySelectorAll<HTMLElement>(target)[index]?.click(),
    selector,
    at,
  );

/** Clicks the first button with this text, `times` times in a row. */
export const pressWords = (words: string, times = 1): Promise<void> =>
  browser.execute(
    (text: string, presses: number) => {
      const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === text);
      for (let press = 0; press < presses; press += 1) button?.click();
    },
    words,
    times,
  );

/** Opens the results and the dialog of the first card's control; returns the listing id. */
export async function openDialog(control: string, path = F150_NEAR_CHICAGO): Promise<string> {
  await openResults(path, { slots: WITH_DIALOGS });
  const button = browser.$(`[data-tile] article ${control}`);
  await button.scrollIntoView({ block: 'center' });
  const listingId = await browser.execute(
    (opener) =>
      opener.closest('article')?.querySelector<HTMLAnchorElement>('h3 a')?.pathname.split('/').at(-1),
    await button.getElement(),
  );
  await button.click();
  return listingId ?? '';
}

/** Fills fields of the open dialog by name. */
export async function fill(fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields))
    await browser.$(`dialog[open] [name="${name}"]`).setValue(value);
}

/** Double-clicks the submit button of the open dialog. */
export const pressSendTwice = (): Promise<void> =>
  browser.execute(() => {
    const send = document.querySelector<HTMLButtonElement>('dialog[open] button[type="submit"]');
    send?.click();
    send?.click();
  });
