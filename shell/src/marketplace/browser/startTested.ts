import { createTestedStart } from '../../engine/overrides/browser/startTested.ts';
import { personalParts } from './personalParts.ts';

/** Starts a tester's page; its recordings have nothing of the visitor's own. */
export const startTested = createTestedStart(personalParts);
