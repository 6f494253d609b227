import { runReleaseProgram } from './engine/rendering/process/runReleaseProgram.ts';
import { RELEASE_SITE } from './marketplace/releaseSite.ts';

runReleaseProgram(RELEASE_SITE);
