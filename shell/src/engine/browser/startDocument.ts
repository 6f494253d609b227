import { getInstance } from '@module-federation/enhanced/runtime';
import { FRAME_ELEMENT_ID, type FrameData } from '../universal/bootData.ts';
import type { BrowserSite } from './browserSite.ts';
import { readBootData } from './readBootData.ts';
import { startEngine, type StartExtended } from './startEngine.ts';

/** Browser code of the extensions that the site's server may attach; each is a chunk that only its pages load. */
export type BrowserExtensions = Readonly<Record<string, () => Promise<StartExtended>>>;

async function startPage(site: BrowserSite, extensions: BrowserExtensions): Promise<void> {
  const boot = await readBootData(site);
  // Created by the build's federation plugin, which also registers the shared modules.
  const host = getInstance();
  if (!boot || !host) return;
  const startWith: Parameters<StartExtended>[1] = (data, onFailure) =>
    startEngine(site, data, host, onFailure);
  const loadExtension = boot.extension && extensions[boot.extension.name];
  const startExtended = await loadExtension?.().catch(() => undefined);
  if (startExtended) await startExtended(boot, startWith);
  else startWith(boot);
}

/** In the document of a frame. */
async function startInFrame(site: BrowserSite, json: string): Promise<void> {
  const { startFrame } = await import(/* webpackChunkName: "frame-client" */ './frame/frameClient.ts');
  const host = getInstance();
  if (host) startFrame(JSON.parse(json) as FrameData, host, site);
}

/** Makes the document interactive: a page of the site, or one of its slots in a frame. */
export function startDocument(site: BrowserSite, extensions: BrowserExtensions = {}): void {
  const frame = document.getElementById(FRAME_ELEMENT_ID)?.textContent;
  void (frame ? startInFrame(site, frame) : startPage(site, extensions));
}
