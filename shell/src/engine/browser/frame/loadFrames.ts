import type { BrowserSite, PersonalParts } from '../browserSite.ts';

/** `loadFrames` of a site: the code that mounts slots in frames, without what is the visitor's own. */
export const createLoadFrames =
  (personal: PersonalParts): BrowserSite['loadFrames'] =>
  async () => {
    const { mountFrame } = await import(/* webpackChunkName: "framed-slot" */ './framedSlot.ts');
    return { mountFrame: (parts) => mountFrame({ ...parts, ...personal }) };
  };
