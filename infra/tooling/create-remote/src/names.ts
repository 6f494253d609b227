import { remoteNameSchema } from '@forecourt/shared-contracts/slots/release';
import { z } from 'zod';

export type GeneratorErrorCode =
  'NAME_INVALID' | 'REMOTE_EXISTS' | 'REMOTE_UNKNOWN' | 'SLOT_TAKEN' | 'REPOSITORY_UNEXPECTED';

/** Thrown before anything is written; the message is one line for the caller. */
export class GeneratorError extends Error {
  override readonly name = 'GeneratorError';
  readonly code: GeneratorErrorCode;

  constructor(code: GeneratorErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The names of a new remote or slot in folders, in the page and in code. */
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

// Stricter than the contract: hyphens only between words.
const words = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const RULE = 'lowercase letters and digits, single hyphens between words, starting with a letter';

const remoteSchema = remoteNameSchema.regex(words);
const slotSchema = z.string().max(40).regex(words);

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/**
 * Derives all names from those on the command line; `name` with or without
 * 'mfe-'. Without `slot`, the slot is named like the remote.
 * @throws GeneratorError NAME_INVALID
 */
export function remoteNames(name: string, slot?: string): RemoteNames {
  const remote = name.startsWith('mfe-') ? name : `mfe-${name}`;
  if (!remoteSchema.safeParse(remote).success)
    throw new GeneratorError(
      'NAME_INVALID',
      `'${name}' is not a valid remote name: ${RULE}, at most 40 characters including 'mfe-'`,
    );
  const bareName = remote.slice('mfe-'.length);
  const slotName = slot ?? bareName;
  if (!slotSchema.safeParse(slotName).success)
    throw new GeneratorError(
      'NAME_INVALID',
      `'${slotName}' is not a valid slot name: ${RULE}, at most 40 characters`,
    );
  return {
    remote,
    slot: slotName,
    component: slotName.split('-').map(capitalize).join(''),
    title: capitalize(slotName.replaceAll('-', ' ')),
    team: bareName,
  };
}
