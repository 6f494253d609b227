import { z } from 'zod';
import { type CommandLine, UsageError } from '../commandLine.ts';
import { callRegistry, type RegistryCall } from '@forecourt/release-kit/registryClient';
import {
  type Credential,
  credentialSchema,
  credentialsSchema,
  describeScopes,
  issuedCredentialSchema,
} from '@forecourt/release-kit/credentials';
import {
  keyIdOf,
  publicKeyOf,
  publicKeySchema,
  type SigningKey,
  signingKeySchema,
  signingKeysSchema,
} from '@forecourt/release-kit/signatures';
import { type Command, type CommandResult, rejectExtraArguments } from './command.ts';
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';

const post = (path: string, body?: object): RegistryCall => ({
  method: 'POST',
  path: `/api/credentials${path}`,
  ...(body && { body: { type: 'application/json', content: JSON.stringify(body) } }),
});

const describeCredential = ({ name, scopes, createdAt, createdBy, expiresAt }: Credential): string =>
  `${name}: ${describeScopes(scopes)}; by ${createdBy} at ${createdAt}${expiresAt ? `, until ${expiresAt}` : ''}`;

async function issue({ access }: CommandLine, call: RegistryCall): Promise<CommandResult> {
  const issued = await callRegistry(access, call, issuedCredentialSchema);
  return {
    text: `${describeCredential(issued.credential)}\nThe token is shown once; store it as REGISTRY_TOKEN:\n${issued.token}`,
    data: issued,
  };
}

async function listCredentials({ access }: CommandLine): Promise<CommandResult> {
  const { credentials: found } = await callRegistry(
    access,
    { method: 'GET', path: '/api/credentials' },
    credentialsSchema,
  );
  return { text: found.map(describeCredential).join('\n') || 'no credentials', data: { credentials: found } };
}

function create(line: CommandLine, name: string): Promise<CommandResult> {
  const { scopes, days } = line;
  if (scopes.length === 0) throw new UsageError('credentials create needs --allow REMOTE:ACTIONS');
  return issue(line, post('', { name, scopes, expiresInDays: days }));
}

/** Prints only the token, for `REGISTRY_TOKEN=$(…)`. */
async function exchange({ access: { registryUrl }, oidcToken }: CommandLine): Promise<CommandResult> {
  if (oidcToken === undefined) throw new UsageError('credentials exchange needs OIDC_TOKEN');
  const call = post('/exchange', { token: oidcToken });
  const issued = await callRegistry({ registryUrl }, call, issuedCredentialSchema);
  return { text: issued.token, data: issued };
}

async function revoke({ access }: CommandLine, name: string): Promise<CommandResult> {
  const path = `/${encodeURIComponent(name)}/revoke`;
  const data = await callRegistry(access, post(path), z.object({ credential: credentialSchema }));
  return { text: `revoked ${name}`, data };
}

/** `credentials [list]`, `credentials exchange`, `credentials create|rotate|revoke NAME` */
export const credentials: Command = async (line) => {
  const [verb = 'list', name, ...rest] = line.args;
  rejectExtraArguments(rest);
  if (verb === 'list' || verb === 'exchange') {
    rejectExtraArguments(name === undefined ? [] : [name]);
    return verb === 'list' ? listCredentials(line) : exchange(line);
  }
  if (!['create', 'rotate', 'revoke'].includes(verb))
    throw new UsageError(`credentials does not know '${verb}'; use list, create, rotate, revoke or exchange`);
  if (name === undefined) throw new UsageError(`credentials ${verb} needs the NAME of a credential`);
  if (verb === 'create') return create(line, name);
  return verb === 'revoke' ? revoke(line, name) : issue(line, post(`/${encodeURIComponent(name)}/rotate`));
};

const describeKey = ({ remote, keyId, publicKey, addedAt, addedBy }: SigningKey): string =>
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

async function listKeys({ access }: CommandLine, remote: string | undefined): Promise<CommandResult> {
  const { keys: all } = await callRegistry(access, { method: 'GET', path: '/api/keys' }, signingKeysSchema);
  const matchingKeys = all.filter((key) => remote === undefined || key.remote === remote);
  return { text: matchingKeys.map(describeKey).join('\n') || 'no keys', data: { keys: matchingKeys } };
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
  if (verb === 'list' && second === undefined) return listKeys(line, first);
  if (verb === 'generate' && first !== undefined && second === undefined) return generate(first);
  if (verb === 'add' && first !== undefined && second !== undefined) return add(line, first, second);
  if (verb === 'remove' && first !== undefined && second !== undefined) return remove(line, first, second);
  throw new UsageError(
    'usage: keys [list [REMOTE]], generate FILE, add REMOTE PUBLIC_KEY, or remove REMOTE KEY_ID',
  );
};
