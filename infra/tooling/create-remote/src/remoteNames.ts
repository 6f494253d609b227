import { remoteNameSchema } from '@forecourt/shared-contracts/slots/release';
import { z } from 'zod';
import { CreateRemoteError } from './createRemoteError.ts';

/** What a new remote is called in its folder, in the page and in its code. */
export interface RemoteNames {
  /** Folder, package without scope, and name in the registry: 'mfe-dealer-map'. */
  readonly remote: string;
  /** Place in the page and file in `src/slots`: 'dealer-map'. */
  readonly slot: string;
  /** React component: 'DealerMap'. */
  readonly component: string;
  /** Heading: 'Dealer map'. */
  readonly title: string;
  /** Team in CODEOWNERS: 'dealer-map'. */
  readonly team: string;
}

// Stricter than the contract, which only has to be safe: a hyphen stands between two words.
const words = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const RULE = 'lower-case letters and digits, hyphens between words, a letter first';

const remoteSchema = remoteNameSchema.regex(words);
const slotSchema = z.string().max(40).regex(words);

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/**
 * Names for `npm run create-remote <name> [-- --slot <slot>]`; `name` with or
 * without 'mfe-', the slot is called like the remote unless it is named.
 * @throws CreateRemoteError NAME_INVALID
 */
export function remoteNames(name: string, slot?: string): RemoteNames {
  const remote = name.startsWith('mfe-') ? name : `mfe-${name}`;
  if (!remoteSchema.safeParse(remote).success)
    throw new CreateRemoteError(
      'NAME_INVALID',
      `'${name}' cannot be a remote's name: ${RULE}, 40 characters with 'mfe-' at most`,
    );
  const bare = remote.slice('mfe-'.length);
  const chosen = slot ?? bare;
  if (!slotSchema.safeParse(chosen).success)
    throw new CreateRemoteError(
      'NAME_INVALID',
      `'${chosen}' cannot be a slot's name: ${RULE}, 40 characters at most`,
    );
  const spoken = chosen.replaceAll('-', ' ');
  return {
    remote,
    slot: chosen,
    component: chosen.split('-').map(capitalised).join(''),
    title: capitalised(spoken),
    team: bare,
  };
}
