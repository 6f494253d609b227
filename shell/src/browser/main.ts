import './withoutEval.ts';
import './provide.ts';
import { getInstance } from '@module-federation/runtime';
import { BOOT_ELEMENT_ID, type BootData } from '../page/bootData.ts';
import { startPage } from './startPage.ts';

const boot = document.getElementById(BOOT_ELEMENT_ID)?.textContent;
// The instance is made by the build's federation plugin, which also registers what `provide.ts` imports.
const host = getInstance();
// Without boot data this is a page without slots, e.g. the error screen.
if (boot && host) {
  const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
  const data = JSON.parse(boot) as BootData;
  const start = (given: BootData) => startPage(given, host, nonce);
  if (data.tester === undefined) start(data);
  // Nobody else's page has, or asks for, any of it.
  else
    void import(/* webpackChunkName: "devtools" */ '../devtools/startTested.ts').then(
      ({ startTested }) => startTested(data, start),
      () => start(data),
    );
}
