import type { PersonalParts } from '../../engine/browser/browserSite.ts';
import { withoutPersonal } from '../visitor/universal/personalState.ts';

/** What the marketplace keeps from frames and recordings. */
export const personalParts: PersonalParts = {
  personalEvents: ['session.changed', 'wallet.changed'],
  withoutPersonal,
};
