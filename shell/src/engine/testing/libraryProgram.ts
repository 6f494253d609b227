import { runReleaseProgram } from '../rendering/process/runReleaseProgram.ts';
import type { ReleaseSite } from '../rendering/releaseSite.ts';
import { libraryState } from './libraryState.ts';

// The program that renders the library's releases.
runReleaseProgram({ state: libraryState as unknown as ReleaseSite['state'], shared: {} });
