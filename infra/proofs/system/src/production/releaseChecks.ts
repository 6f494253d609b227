import { fixtureDist, releasesOf, variantOf } from '@forecourt/harness/releases';
import { issuedCredentialSchema } from '@forecourt/release-kit/credentials';
import { callRegistry, publishRelease, RegistryCallError } from '@forecourt/release-kit/registryClient';
import { z } from 'zod';
import { equal, type Finding, until } from '../proof.ts';
import { CI_ISSUER, ISSUER } from './hosts.data.ts';
import { CI, type Site } from './services.ts';

const VERSION = '7.0.0';

/** What an issuer signs. */
export async function signBy(issuer: string, claims: object): Promise<string> {
  const url = new URL(`${issuer.replace(/\/$/, '')}/sign`);
  url.searchParams.set('claims', JSON.stringify(claims));
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.origin} responded with ${response.status}`);
  return response.text();
}

/** 'done', or the code of the refusal. */
const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof RegistryCallError) return error.code;
      throw error;
    },
  );

/** A CI run publishes a release with the token of its issuer, and others don't. */
export async function checkRelease({ stack }: Site): Promise<Finding[]> {
  const { shell, 'remote-registry': registryUrl } = stack.urls;
  const post = <T>(path: string, body: object, schema: z.ZodType<T>, token?: string) =>
    callRegistry(
      { registryUrl, token },
      { method: 'POST', path, body: { type: 'application/json', content: JSON.stringify(body) } },
      schema,
    );
  const exchange = (token: string) => post('/api/credentials/exchange', { token }, issuedCredentialSchema);
  const claims = { aud: CI.audience, sub: CI.subject };
  const run = await signBy(CI_ISSUER, claims);
  const { token } = await exchange(run);
  const publish = async (name: string, credential?: string) => {
    const release = variantOf(fixtureDist(name), { version: VERSION });
    try {
      return await publishRelease({
        registryUrl,
        token: credential,
        directory: release.directory,
        hasCommit: false,
      });
    } finally {
      release.remove();
    }
  };
  const promote = (remote: string) =>
    post(`/api/remotes/${remote}/promote`, { version: VERSION }, z.unknown(), token);
  const rollback = (remote: string) => post(`/api/remotes/${remote}/rollback`, {}, z.unknown(), token);

  const published = await outcomeOf(publish('good', token));
  const promoted = await outcomeOf(promote(CI.remote));
  await until('the shell uses the release', async () => (await releasesOf(shell))[CI.remote] === VERSION);
  return [
    equal('Release: published with the token of a CI run', published, 'done'),
    equal('Release: promoted, after the gate of the shell', promoted, 'done'),
    equal('Release: the same token again', await outcomeOf(exchange(run)), 'UNAUTHORIZED'),
    equal(
      'Release: the token of a fork',
      await outcomeOf(
        exchange(await signBy(CI_ISSUER, { ...claims, sub: 'repo:evil/showcase:ref:refs/heads/main' })),
      ),
      'FORBIDDEN',
    ),
    equal(
      'Release: a token for another registry',
      await outcomeOf(exchange(await signBy(CI_ISSUER, { ...claims, aud: 'https://other.example' }))),
      'UNAUTHORIZED',
    ),
    equal(
      'Release: a token that another issuer signed',
      await outcomeOf(exchange(await signBy(ISSUER, { ...claims, iss: CI_ISSUER }))),
      'UNAUTHORIZED',
    ),
    equal('Release: a rollback, which the run may not', await outcomeOf(rollback(CI.remote)), 'FORBIDDEN'),
    equal('Release: a promotion of another remote', await outcomeOf(promote('mfe-results')), 'FORBIDDEN'),
    equal('Release: published without a token', await outcomeOf(publish('good')), 'UNAUTHORIZED'),
  ];
}
