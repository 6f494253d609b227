import { getInstance } from '@module-federation/runtime';
import { FRAME_ELEMENT_ID, type BootData, type FrameData } from './engine/universal/bootData.ts';
import { readBootData } from './engine/browser/readBootData.ts';
import type { StartExtended } from './engine/browser/startEngine.ts';
import { browserSite, startPage } from './marketplace/browser/startPage.ts';

/** Browser code of the extensions that `server.ts` may attach; each is a chunk that only its pages load. */
const EXTENSIONS: Readonly<Record<string, () => Promise<StartExtended>>> = {
  tester: () =>
    import(/* webpackChunkName: "tester" */ './marketplace/browser/startTested.ts').then(
      ({ startTested }) => startTested,
    ),
};

async function start(): Promise<void> {
  const boot = await readBootData(browserSite);
  // Created by the build's federation plugin, which also registers the shared modules above.
  const host = getInstance();
  if (!boot || !host) return;
  const startWith = (data: BootData) => startPage(data, host);
  const loadExtension = boot.extension && EXTENSIONS[boot.extension.name];
  const startExtended = await loadExtension?.().catch(() => undefined);
  if (startExtended) await startExtended(boot, startWith);
  else startWith(boot);
}

/** In the document of a frame. */
async function startInFrame(json: string): Promise<void> {
  const { startFrame } = await import(
    /* webpackChunkName: "frame-client" */ './engine/browser/frame/frameClient.ts'
  );
  const host = getInstance();
  if (host) startFrame(JSON.parse(json) as FrameData, host, browserSite);
}

const frame = document.getElementById(FRAME_ELEMENT_ID)?.textContent;
void (frame ? startInFrame(frame) : start());
