import { runReleaseProgram } from '@forecourt/shell/engine/releaseProgram';
import { RELEASE_SITE } from './releaseSite.ts';

runReleaseProgram(RELEASE_SITE);
