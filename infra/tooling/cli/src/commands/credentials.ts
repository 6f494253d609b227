import { z } from 'zod';
import { type CommandLine, UsageError } from '../commandLine.ts';
import { callRegistry, type RegistryCall } from '../client.ts';
import {
  type Credential,
  credentialSchema,
  credentialsSchema,
  describeScopes,
  issuedCredentialSchema,
} from '../release/identities.ts';
import { type Command, type CommandResult, rejectExtraArguments } from './command.ts';

const post = (path: string, body?: object): RegistryCall => ({
  method: 'POST',
  path: `/api/credentials${path}`,
  ...(body && { body: { type: 'application/json', content: JSON.stringify(body) } }),
});

const describe = ({ name, scopes, createdAt, createdBy, expiresAt }: Credential): string =>
  `${name}: ${describeScopes(scopes)}; by ${createdBy} at ${createdAt}${expiresAt ? `, until ${expiresAt}` : ''}`;

async function issue({ access }: CommandLine, call: RegistryCall): Promise<CommandResult> {
  const issued = await callRegistry(access, call, issuedCredentialSchema);
  return {
    text: `${describe(issued.credential)}\nThe token is shown once; store it as REGISTRY_TOKEN:\n${issued.token}`,
    data: issued,
  };
}

async function list({ access }: CommandLine): Promise<CommandResult> {
  const { credentials: found } = await callRegistry(
    access,
    { method: 'GET', path: '/api/credentials' },
    credentialsSchema,
  );
  return { text: found.map(describe).join('\n') || 'no credentials', data: { credentials: found } };
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
    return verb === 'list' ? list(line) : exchange(line);
  }
  if (!['create', 'rotate', 'revoke'].includes(verb))
    throw new UsageError(`credentials does not know '${verb}'; use list, create, rotate, revoke or exchange`);
  if (name === undefined) throw new UsageError(`credentials ${verb} needs the NAME of a credential`);
  if (verb === 'create') return create(line, name);
  return verb === 'revoke' ? revoke(line, name) : issue(line, post(`/${encodeURIComponent(name)}/rotate`));
};
