import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { type CommandLine, UsageError } from '../commandLine.ts';
import { callRegistry } from '../client.ts';
import {
  keyIdOf,
  publicKeyOf,
  publicKeySchema,
  type SigningKey,
  signingKeySchema,
  signingKeysSchema,
} from '../release/signing.ts';
import { type Command, type CommandResult, rejectExtraArguments } from './command.ts';

const describe = ({ remote, keyId, publicKey, addedAt, addedBy }: SigningKey): string =>
  `${remote}  ${keyId}  ${publicKey}  by ${addedBy} at ${addedAt}`;

const changedKeySchema = z.object({ key: signingKeySchema });

/** Writes a new private key, readable by its owner only; never replaces a file. */
function generate(file: string): CommandResult {
  const { privateKey } = generateKeyPairSync('ed25519');
  const publicKey = publicKeyOf(privateKey);
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { flag: 'wx', mode: 0o600 });
  return {
    text: `${file} holds the private key; set RELEASE_KEY_FILE to it. An administrator registers the public key:\nforecourt keys add REMOTE ${publicKey}`,
    data: { file, publicKey, keyId: keyIdOf(publicKey) },
  };
}

async function list({ access }: CommandLine, remote: string | undefined): Promise<CommandResult> {
  const { keys: all } = await callRegistry(access, { method: 'GET', path: '/api/keys' }, signingKeysSchema);
  const matchingKeys = all.filter((key) => remote === undefined || key.remote === remote);
  return { text: matchingKeys.map(describe).join('\n') || 'no keys', data: { keys: matchingKeys } };
}

async function add({ access }: CommandLine, remote: string, publicKey: string): Promise<CommandResult> {
  if (!publicKeySchema.safeParse(publicKey).success)
    throw new UsageError('keys add needs a PUBLIC_KEY as `keys generate` prints it');
  const content = JSON.stringify({ remote, publicKey });
  const body = { type: 'application/json', content };
  const data = await callRegistry(access, { method: 'POST', path: '/api/keys', body }, changedKeySchema);
  return { text: `${remote} takes releases signed by ${data.key.keyId}`, data };
}

async function remove({ access }: CommandLine, remote: string, keyId: string): Promise<CommandResult> {
  const path = `/api/keys/${encodeURIComponent(remote)}/${encodeURIComponent(keyId)}/remove`;
  const data = await callRegistry(access, { method: 'POST', path }, changedKeySchema);
  return { text: `${remote} no longer takes releases signed by ${keyId}`, data };
}

/** `keys [list [REMOTE]]`, `keys generate FILE`, `keys add REMOTE PUBLIC_KEY`, `keys remove REMOTE KEY_ID` */
export const keys: Command = async (line) => {
  const [verb = 'list', first, second, ...rest] = line.args;
  rejectExtraArguments(rest);
  if (verb === 'list' && second === undefined) return list(line, first);
  if (verb === 'generate' && first !== undefined && second === undefined) return generate(first);
  if (verb === 'add' && first !== undefined && second !== undefined) return add(line, first, second);
  if (verb === 'remove' && first !== undefined && second !== undefined) return remove(line, first, second);
  throw new UsageError(
    'usage: keys [list [REMOTE]], generate FILE, add REMOTE PUBLIC_KEY, or remove REMOTE KEY_ID',
  );
};
