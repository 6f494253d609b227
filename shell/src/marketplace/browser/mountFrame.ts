import type { MountFrame } from '../../engine/browser/browserSite.ts';
import { mountFrame as mountFramedSlot } from '../../engine/browser/frame/framedSlot.ts';
import { personalParts } from './personalParts.ts';

/** Mounts a slot in a frame, which gets the state without what is the visitor's own. */
export const mountFrame: MountFrame = (parts) => mountFramedSlot({ ...parts, ...personalParts });
