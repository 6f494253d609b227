import { type Pointers, pointersSchema } from '@forecourt/releases/pointers';
import { type CommandLine, UsageError } from '../commandLine.ts';
import { callRegistry, type RegistryAccess } from '@forecourt/release-kit/registryClient';

/** The result of a command, as text for people and as data for `--json`. */
export interface CommandResult {
  readonly text: string;
  readonly data: unknown;
  /** The command ran and found a problem: exit status 1. */
  readonly hasProblem?: boolean;
}

export type Command = (line: CommandLine) => Promise<CommandResult>;

export type Pointer = Pointers['remotes'][string];

// 'constructor' is a valid remote name: plain property access would find Object's.
export const pointerOf = ({ remotes }: Pointers, name: string): Pointer | undefined =>
  Object.hasOwn(remotes, name) ? remotes[name] : undefined;

export const readPointers = (access: RegistryAccess): Promise<Pointers> =>
  callRegistry(access, { method: 'GET', path: '/api/pointers' }, pointersSchema);

export const releasePath = (name: string, version: string): string =>
  `/api/releases/${encodeURIComponent(name)}/${encodeURIComponent(version)}`;

export function describePointer(pointer: Pointer | undefined | null): string {
  if (!pointer) return 'nothing live';
  const { live, canary } = pointer;
  return `live ${live}${canary ? `, canary ${canary.version} at ${canary.weight} %` : ''}`;
}

/** Rejects surplus arguments instead of ignoring them. @throws UsageError */
export function rejectExtraArguments(rest: readonly string[]): void {
  if (rest.length > 0) throw new UsageError(`unexpected argument: ${rest.join(' ')}`);
}

export const formatKilobytes = (bytes: number): string => `${Math.ceil(bytes / 1024)} KB`;
