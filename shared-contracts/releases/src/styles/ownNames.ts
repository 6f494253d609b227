import { createHash } from 'node:crypto';

const TAG_LENGTH = 3;

/** `length` characters that stay the same for the same text; all of them may stand in a CSS name. */
const digest = (text: string, length: number): string =>
  // Without hyphens: a class of the file 'f…' would otherwise begin with `fc-` by chance.
  createHash('sha256').update(text).digest('base64url').replaceAll('-', '_').slice(0, length);

/** Owner of the classes of a shell's own CSS modules. No remote can have the name, nor that of a contract package. */
export const SHELL_OWNER = '@shell';

/** The end of every class name of an owner: a remote's name, a contract package or `SHELL_OWNER`. */
export const classTag = (owner: string): string => digest(owner, TAG_LENGTH);

/** The end of every class name of one file of an owner. Contains the owner's tag. */
export const fileTag = (owner: string, path: string): string =>
  digest(`${owner} ${path}`, TAG_LENGTH) + classTag(owner);

/** Names of the shell; a release reads `--fc-` properties and sets none. */
const SHELL_NAME = /^(?:--)?fc-/i;
export const isShellName = (name: string): boolean => SHELL_NAME.test(name);

/** Whether a class is one of those that the build writes for the remote. */
export const isOwnClass = (name: string, remote: string): boolean =>
  !isShellName(name) && name.length > TAG_LENGTH && name.endsWith(classTag(remote));

/**
 * Whether a name that all of a page's style sheets share (animation, layer, registered property, counter style) is
 * the remote's: written by the build, or `mfe-results_name`. Names of remotes contain no underscore.
 */
export const isOwnName = (name: string, remote: string): boolean =>
  isOwnClass(name, remote) || name.replace(/^--/, '').startsWith(`${remote}_`);
