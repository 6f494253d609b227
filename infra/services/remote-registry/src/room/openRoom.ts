import { fileURLToPath } from 'node:url';
import type { PeopleIssuer } from './issuer.ts';
import type { RoomFiles } from './roomFiles.ts';
import { readRoomFiles } from './roomFiles.ts';
import { createSessions, type SessionOptions, type Sessions } from './sessions.ts';
import { type ShellWatch, watchShells } from './shellWatch.ts';

/** The control room, a page for people who steer releases. */
export interface Room {
  readonly files: RoomFiles;
  readonly sessions: Sessions;
  readonly shells: ShellWatch;
  /** Where people sign in; without it, only with tokens. */
  readonly issuer?: PeopleIssuer | undefined;
}

/** Where the build puts the page. */
const BUILT_PAGE = fileURLToPath(new URL('../../dist/', import.meta.url));

/** Undefined if the page is not built. */
export function openRoom(
  options: SessionOptions & {
    readonly shellUrls: readonly string[];
    /** For the gates and reports of the shells. */
    readonly gateToken?: string | undefined;
    /** Folder of the built page. */
    readonly directory?: string;
    readonly issuer?: PeopleIssuer | undefined;
  },
): Room | undefined {
  const { shellUrls, gateToken, issuer, directory = BUILT_PAGE } = options;
  const files = readRoomFiles(directory);
  if (!files) return undefined;
  return {
    files,
    sessions: createSessions(options),
    shells: watchShells({ shellUrls, token: gateToken }),
    issuer,
  };
}
