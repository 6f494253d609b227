import { join } from 'node:path';
import { REPOSITORY } from '@forecourt/local';

/** Folder of a remote's build. */
export const distOf = (remote: string): string => join(REPOSITORY, remote, 'dist');
