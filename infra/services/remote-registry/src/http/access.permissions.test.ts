import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { type Action, ACTIONS, allows, CANARY_LIMIT } from '@forecourt/release-kit/actions';
import { packArchive } from '@forecourt/release-kit/archive';
import type { Scope } from '@forecourt/release-kit/credentials';
import { keyIdOf, publicKeyOf } from '@forecourt/release-kit/signatures';
import {
  manifestBytesOf,
  sampleRelease,
  temporaryDirectory,
  writeRelease,
} from '@forecourt/release-kit/testing';
import { Credentials } from '../access/credentials.ts';
import { addToStore } from '../releases/addToStore.ts';
import { forbiddenPointer, pointerStateOf } from '../testing/forbiddenPointer.ts';
import { startTestRegistry, type TestRegistry } from '../testing/testApp.ts';
import { OPERATIONS } from './openApiOperations.ts';

// Someone with a credential tries everything that the registry offers, also with the credentials that they create on the way.
// What they reach must be what their first credential allows: `administer` on a remote gives all actions on it, and on `*`
// everything; no other action gives another one.

const TOKEN = 'a-token-of-some-length';
const VERSIONS = ['1.0.0', '2.0.0', '3.0.0', '4.0.0'] as const;
const NEW_VERSION = '5.0.0';

let registry: TestRegistry;
let build: Awaited<ReturnType<typeof temporaryDirectory>>;
/** Archives of releases of `name`, by version. */
const archives = new Map<string, Buffer>();
beforeAll(async () => {
  registry = await startTestRegistry({ token: TOKEN, brotliQuality: 0 });
  build = await temporaryDirectory();
});
afterAll(async () => {
  await registry.stop();
  await build.remove();
});

const newKey = (): string => publicKeyOf(generateKeyPairSync('ed25519').publicKey);
const REGISTERED = newKey();
const ATTACKERS = newKey();

/** Who else has a credential, with its scopes on the remotes `mine` and `other`. */
const VICTIMS = {
  owner: [['mine', ['publish', 'promote']]],
  stranger: [['other', ['publish', 'canary']]],
  both: [
    ['mine', ['publish']],
    ['other', ['end-canary']],
  ],
  root: [['*', ['administer']]],
} as const;
type Place = 'mine' | 'other' | '*';

interface Request {
  /** As the documentation of the API writes it. */
  readonly operation: string;
  readonly path: (world: World) => string;
  readonly body?: (world: World) => object;
}

interface World {
  readonly name: (place: Place) => string;
  /** Of a credential. */
  readonly credential: (who: string) => string;
  /** Tokens that the attacker has. */
  readonly tokens: string[];
  readonly scopes: readonly Scope[];
  readonly isSigned: boolean;
}

const call = async (method: string, path: string, token: string, body?: object) => {
  const isArchive = Buffer.isBuffer(body);
  const response = await fetch(registry.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(!isArchive && { 'content-type': 'application/json' }) },
    ...(body && { body: isArchive ? new Uint8Array(body) : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

/** The upload of a release; another text than that of the stored one. */
async function archiveOf(name: string, version: string): Promise<Buffer> {
  const key = `${name}@${version}`;
  const known = archives.get(key);
  if (known) return known;
  const files = { 'web/remoteEntry.js': `export const by = 'attacker';\n` };
  const release = sampleRelease({ name, version, files });
  await writeRelease(build.path, release);
  const archive = await packArchive(build.path, [...release.files.keys()]);
  archives.set(key, archive);
  return archive;
}

const issue = async (name: string, scopes: readonly (readonly [string, readonly Action[]])[]) => {
  const body = { name, scopes: scopes.map(([remote, actions]) => ({ remote, actions })) };
  const issued = await call('POST', '/api/credentials', TOKEN, body);
  return String(issued.body['token']);
};

let worlds = 0;

/** Remotes of their own, with releases that were live, credentials of others, and one for the attacker. */
async function newWorld(
  own: readonly (readonly [Place, readonly Action[]])[],
  { isSigned, isHeld, canary }: { isSigned: boolean; isHeld: boolean; canary: number },
): Promise<World> {
  const number = (worlds += 1);
  const name = (place: Place) => (place === '*' ? '*' : `${place}-${number}`);
  for (const remote of [name('mine'), name('other')]) {
    for (const version of VERSIONS) {
      const release = sampleRelease({ name: remote, version, files: {} });
      const upload = { manifestBytes: manifestBytesOf(release), files: release.files };
      await addToStore(registry.storage.releases, upload, { brotliQuality: 0 });
      if (version !== '4.0.0') await registry.board.promote(remote, version);
    }
    if (canary > 0) await registry.board.startCanary(remote, { version: '4.0.0', weight: canary });
    if (isHeld) await registry.board.hold(remote);
    if (isSigned) await call('POST', '/api/keys', TOKEN, { remote, publicKey: REGISTERED });
  }
  const named = (scopes: readonly (readonly [Place, readonly Action[]])[]) =>
    scopes.map(([place, actions]) => [name(place), actions] as const);
  for (const [who, scopes] of Object.entries(VICTIMS)) await issue(`${who}-${number}`, named(scopes));
  const first = await issue(`attacker-${number}`, named(own));
  return {
    name,
    credential: (who) => `${who}-${number}`,
    tokens: [first],
    scopes: named(own).map(([remote, actions]) => ({ remote, actions: [...actions] })),
    isSigned,
  };
}

/** What the first credential allows at most. */
const mayOf =
  ({ scopes }: World) =>
  (action: Action, remote: string): boolean =>
    allows({ scopes }, 'administer', remote) || allows({ scopes }, action, remote);

/** Everything that a request could change. */
async function stateOf({ name, credential, tokens }: World) {
  const { storage } = registry;
  const { keys, credentials } = await storage.access.readAccess();
  const pointers: Record<string, Awaited<ReturnType<typeof pointerStateOf>>> = {};
  const releases: Record<string, Record<string, unknown>> = {};
  const ownKeys: Record<string, string[]> = {};
  for (const remote of [name('mine'), name('other')]) {
    pointers[remote] = await pointerStateOf(registry, remote);
    releases[remote] = {};
    for (const version of [...VERSIONS, NEW_VERSION])
      releases[remote][version] = (await storage.releases.findRelease({ name: remote, version }))?.manifest;
    ownKeys[remote] = keys.filter((key) => key.remote === remote).map(({ keyId }) => keyId);
  }
  const others = Object.fromEntries(
    Object.keys(VICTIMS).map((who) => [who, credentials.filter((one) => one.name === credential(who))]),
  );
  const callers = new Credentials(storage.access);
  const held = await Promise.all(tokens.map((token) => callers.authenticate(token).catch(() => undefined)));
  return { pointers, releases, keys: ownKeys, others, held };
}
type State = Awaited<ReturnType<typeof stateOf>>;

/** What must not have happened since `start`. */
function forbidden(world: World, start: State, now: State): string[] {
  const may = mayOf(world);
  const isAdministered = (scopes: readonly (readonly [Place, unknown])[]) =>
    scopes.every(([place]) => may('administer', world.name(place)));
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const problems: string[] = [];
  for (const [remote, pointer] of Object.entries(now.pointers)) {
    const action = (one: Action) => may(one, remote);
    problems.push(...forbiddenPointer(action, start.pointers[remote]!, pointer, VERSIONS.slice(0, 2)));
    const { [NEW_VERSION]: added, ...releases } = now.releases[remote]!;
    if (!same(releases, start.releases[remote])) problems.push('a published release changed');
    if (added && !action('publish')) problems.push('a release was published');
    if (added && world.isSigned && !action('administer')) problems.push('a release was published unsigned');
    if (!same(now.keys[remote], start.keys[remote]) && !action('administer')) problems.push('keys changed');
  }
  for (const [who, scopes] of Object.entries(VICTIMS))
    if (!same(now.others[who], start.others[who]) && !isAdministered(scopes))
      problems.push(`the credential ${who} changed`);
  for (const caller of now.held)
    for (const { remote, actions } of caller?.scopes ?? [])
      for (const action of actions)
        if (!may(action, remote)) problems.push(`a credential allows ${action} ${remote}`);
  return problems;
}

const place = fc.constantFrom<Place>('mine', 'other');
const version = fc.constantFrom(...VERSIONS, NEW_VERSION);
const weight = fc.constantFrom(0, 5, CANARY_LIMIT, CANARY_LIMIT + 1, 100);
const skipGate = fc.constantFrom({}, { skipGate: true, why: 'test' });
const anyScopes = fc.array(
  fc.tuple(fc.constantFrom<Place>('mine', 'other', '*'), fc.subarray([...ACTIONS], { minLength: 1 })),
  { minLength: 1, maxLength: 2 },
);
const who = fc.constantFrom(...Object.keys(VICTIMS), 'attacker', 'new');

const steering = (where: Place, verb: string, content: object): Request => ({
  operation: `post /api/remotes/{name}/${verb}`,
  path: ({ name }) => `/api/remotes/${name(where)}/${verb}`,
  body: () => ({ ...content }),
});

const onRemote = (verb: string, body: fc.Arbitrary<object>) =>
  fc
    .tuple(place, body, skipGate)
    .map(([where, content, gate]) => steering(where, verb, { ...content, ...gate }));

const settingPointer = (where: Place): Request =>
  steering(where, 'pointer', {
    live: '2.0.0',
    expectedRevision: 'now',
    skipGate: true,
    why: 'test',
  });

const publishing = (where: Place, published: string): Request => ({
  operation: 'put /api/releases/{name}/{version}',
  path: ({ name }) => `/api/releases/${name(where)}/${published}`,
});

const creating = (one: string, scopes: readonly (readonly [Place, readonly Action[]])[]): Request => ({
  operation: 'post /api/credentials',
  path: () => '/api/credentials',
  body: ({ name, credential }) => ({
    name: credential(one),
    scopes: scopes.map(([where, actions]) => ({ remote: name(where), actions })),
  }),
});

const registeringKey = (where: Place, publicKey: string): Request => ({
  operation: 'post /api/keys',
  path: () => '/api/keys',
  body: ({ name }) => ({ remote: name(where), publicKey }),
});

const removingKey = (where: Place): Request => ({
  operation: 'post /api/keys/{name}/{keyId}/remove',
  path: ({ name }) => `/api/keys/${name(where)}/${keyIdOf(REGISTERED)}/remove`,
  body: () => ({}),
});

const onExisting = (verb: 'rotate' | 'revoke', one: string): Request => ({
  operation: `post /api/credentials/{credential}/${verb}`,
  path: ({ credential }) => `/api/credentials/${credential(one)}/${verb}`,
  body: () => ({}),
});

const COLLECTION: Request = {
  operation: 'post /api/gc',
  path: () => '/api/gc',
  body: () => ({ dryRun: false, keepDays: 1, keepVersions: 1 }),
};

const EXCHANGE: Request = {
  operation: 'post /api/credentials/exchange',
  path: () => '/api/credentials/exchange',
  body: ({ tokens }) => ({ token: tokens[0] }),
};

const request: fc.Arbitrary<Request> = fc.oneof(
  onRemote('canary', fc.record({ version, weight })),
  onRemote('promote', fc.record({ version }, { requiredKeys: [] })),
  onRemote('rollback', fc.constant({})),
  onRemote('hold', fc.constant({ why: 'test' })),
  onRemote('resume', fc.constant({})),
  onRemote(
    'pointer',
    fc.record(
      { live: version, canary: fc.record({ version, weight }), expectedRevision: fc.constant('now') },
      { requiredKeys: ['live', 'expectedRevision'] },
    ),
  ),
  fc.tuple(place, version).map(([where, published]) => publishing(where, published)),
  fc
    .tuple(place, fc.constantFrom(ATTACKERS, REGISTERED))
    .map(([where, publicKey]) => registeringKey(where, publicKey)),
  place.map(removingKey),
  fc.tuple(who, anyScopes).map(([one, scopes]) => creating(one, scopes)),
  ...(['rotate', 'revoke'] as const).map((verb) => who.map((one) => onExisting(verb, one))),
  fc.constantFrom(COLLECTION, EXCHANGE),
);

/** Sends a request with one of the attacker's tokens, and keeps a token that it returns. */
async function send(world: World, { operation, path, body }: Request, tokenIndex: number) {
  const token = world.tokens[tokenIndex % world.tokens.length]!;
  const target = path(world);
  const [, , , name = '', version = ''] = target.split('/');
  const isUpload = operation.startsWith('put');
  const content = isUpload ? await archiveOf(name, version) : { ...body?.(world) };
  if ('expectedRevision' in content)
    content.expectedRevision = (await registry.storage.pointers.readPointers()).revision;
  const answer = await call(isUpload ? 'PUT' : 'POST', target, token, content);
  if (typeof answer.body['token'] === 'string') world.tokens.push(answer.body['token']);
  return answer.status;
}

const logLength = async (): Promise<number> => (await registry.storage.log.readEntries(0, 100_000)).length;

describe('a credential', () => {
  it('reaches no state that it forbids, by any sequence of requests', async () => {
    const used = new Set<string>();
    const done = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        anyScopes,
        fc.record({ isSigned: fc.boolean(), isHeld: fc.boolean(), canary: fc.constantFrom(0, 5, 80) }),
        fc.array(fc.tuple(request, fc.nat(9)), { minLength: 1, maxLength: 10 }),
        async (own, setting, requests) => {
          const world = await newWorld(own, setting);
          const start = await stateOf(world);
          let before = start;
          for (const [one, tokenIndex] of requests) {
            const logged = await logLength();
            const status = await send(world, one, tokenIndex);
            used.add(one.operation);
            if (status < 300) done.add(one.operation);
            const now = await stateOf(world);
            expect(forbidden(world, start, now)).toEqual([]);
            // Nothing that others notice happens without an entry of the log.
            const { pointers: _, ...changed } = now;
            const { pointers: __, ...unchanged } = before;
            if (JSON.stringify(changed) !== JSON.stringify(unchanged))
              expect(await logLength()).toBeGreaterThan(logged);
            before = now;
          }
        },
      ),
      {
        numRuns: 30,
        // What random requests seldom do with success.
        examples: [
          [
            [['mine', ['publish', 'administer']]],
            { isSigned: false, isHeld: false, canary: 0 },
            [
              [publishing('mine', NEW_VERSION), 0],
              [creating('new', [['mine', ['promote']]]), 0],
            ],
          ],
          [
            [['*', ['administer']]],
            { isSigned: true, isHeld: false, canary: 0 },
            [
              [removingKey('mine'), 0],
              [registeringKey('mine', ATTACKERS), 0],
              [onExisting('rotate', 'owner'), 0],
              [onExisting('revoke', 'stranger'), 0],
              [COLLECTION, 0],
              [EXCHANGE, 0],
            ],
          ],
          [
            [['mine', [...ACTIONS]]],
            { isSigned: false, isHeld: true, canary: 5 },
            [
              [steering('mine', 'resume', {}), 0],
              [settingPointer('mine'), 0],
              [steering('mine', 'canary', { version: '4.0.0', weight: 5 }), 0],
              [steering('mine', 'promote', { version: '1.0.0' }), 0],
              [steering('mine', 'rollback', {}), 0],
              [steering('mine', 'hold', { why: 'test' }), 0],
            ],
          ],
        ],
      },
    );
    const writes = OPERATIONS.filter(({ method }) => method !== 'get').map(
      ({ method, path }) => `${method} ${path}`,
    );
    expect([...used].sort()).toEqual(writes.sort());
    // An exchange needs a CI run's token, which the attacker has none of.
    expect([...done].sort()).toEqual(writes.filter((one) => !one.endsWith('/exchange')).sort());
  }, 240_000);
});
