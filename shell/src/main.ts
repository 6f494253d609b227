import './browser/withoutEval.ts';
import './browser/provide.ts';
import { getInstance } from '@module-federation/runtime';
import { BOOT_ELEMENT_ID, type BootData } from './both/bootData.ts';
import { startPage, type StartedPage } from './browser/startPage.ts';

/** Starts a page with an extension's boot data; must call `start` once. */
type StartExtended = (boot: BootData, start: (boot: BootData) => StartedPage) => Promise<void>;

/** Browser code of the extensions that `server.ts` may attach; each is a chunk that only its pages load. */
const EXTENSIONS: Readonly<Record<string, () => Promise<StartExtended>>> = {
  tester: () =>
    import(/* webpackChunkName: "tester" */ './extensions/tester/browser/startTested.ts').then(
      ({ startTested }) => startTested,
    ),
};

const json = document.getElementById(BOOT_ELEMENT_ID)?.textContent;
// Created by the build's federation plugin, which also registers the imports of `provide.ts`.
const host = getInstance();
// Pages without slots, e.g. the error screen, have no boot data.
if (json && host) {
  const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
  const boot = JSON.parse(json) as BootData;
  const start = (data: BootData) => startPage(data, host, nonce);
  const loadExtension = boot.extension && EXTENSIONS[boot.extension.name];
  if (!loadExtension) start(boot);
  else
    void loadExtension().then(
      (startExtended) => startExtended(boot, start),
      () => start(boot),
    );
}
