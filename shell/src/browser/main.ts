import './withoutEval.ts';
import './provide.ts';
import { BOOT_ELEMENT_ID, type BootData } from '../page/bootData.ts';
import type { ShareScope } from './federation.ts';
import { startPage } from './startPage.ts';

/** webpack's own, by the build's federation plugin. */
declare const __webpack_init_sharing__: (scope: 'default') => Promise<void>;
declare const __webpack_share_scopes__: { readonly default: ShareScope };

/** What `provide.ts` imports, registered for the remotes. */
async function provideShared(): Promise<ShareScope> {
  await __webpack_init_sharing__('default');
  return __webpack_share_scopes__.default;
}

const boot = document.getElementById(BOOT_ELEMENT_ID)?.textContent;
// Without boot data this is a page without slots, e.g. the error screen.
if (boot) {
  const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
  startPage(JSON.parse(boot) as BootData, provideShared, nonce);
}
