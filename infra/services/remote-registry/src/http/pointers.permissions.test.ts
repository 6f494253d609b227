import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Action, ACTIONS, CANARY_LIMIT } from '@forecourt/release-kit/actions';
import { manifestBytesOf, sampleRelease } from '@forecourt/release-kit/testing';
import { addToStore } from '../releases/addToStore.ts';
import { forbiddenPointer, pointerStateOf } from '../testing/forbiddenPointer.ts';
import { postJson, startTestRegistry, type TestRegistry } from '../testing/testApp.ts';

const TOKEN = 'a-token-of-some-length';
const ADMINISTRATOR = { authorization: `Bearer ${TOKEN}` };
const VERSIONS = ['1.0.0', '2.0.0', '3.0.0', '4.0.0'] as const;

let registry: TestRegistry;
let remotes: number;
beforeEach(async () => {
  remotes = 0;
  registry = await startTestRegistry({ token: TOKEN });
});
afterEach(() => registry.stop());

const steer = (remote: string, verb: string, body: object, headers: Record<string, string>) =>
  postJson(`${registry.url}/api/remotes/${remote}/${verb}`, body, headers);

/** A remote of its own: 1.0.0 and 2.0.0 were live, 3.0.0 is, 4.0.0 never was. */
async function newRemote(canaryWeight: number, isHeld: boolean): Promise<string> {
  const name = `sample-${(remotes += 1)}`;
  for (const version of VERSIONS) {
    const release = sampleRelease({ name, version, files: {} });
    const upload = { manifestBytes: manifestBytesOf(release), files: release.files };
    await addToStore(registry.storage.releases, upload, { brotliQuality: 0 });
    if (version !== '4.0.0') await registry.board.promote(name, version);
  }
  if (canaryWeight > 0) await registry.board.startCanary(name, { version: '4.0.0', weight: canaryWeight });
  if (isHeld) await registry.board.hold(name);
  return name;
}

async function tokenWith(remote: string, actions: readonly Action[]): Promise<Record<string, string>> {
  const body = { name: `ci-${remote}`, scopes: [{ remote, actions }] };
  const issued = await postJson(`${registry.url}/api/credentials`, body, ADMINISTRATOR);
  return { authorization: `Bearer ${String(issued.body['token'])}` };
}

const stateOf = (remote: string) => pointerStateOf(registry, remote);

const version = fc.constantFrom(...VERSIONS);
const weight = fc.constantFrom(0, 0.01, 5, CANARY_LIMIT, CANARY_LIMIT + 0.01, 80, 100);
const skipGate = fc.constantFrom({}, { skipGate: true, why: 'test' });
const request = fc.oneof(
  fc.tuple(fc.constant('canary'), fc.record({ version, weight })),
  fc.tuple(fc.constant('promote'), fc.record({ version }, { requiredKeys: [] })),
  fc.tuple(fc.constant('rollback'), fc.constant({})),
  fc.tuple(fc.constant('hold'), fc.constant({ why: 'test' })),
  fc.tuple(fc.constant('resume'), fc.constant({})),
  fc.tuple(
    fc.constant('pointer'),
    fc.record({ live: version, canary: fc.record({ version, weight }) }, { requiredKeys: ['live'] }),
  ),
);

describe('permissions of a credential', () => {
  it('reach no state that they forbid, by any sequence of requests', async () => {
    const actions = fc.subarray(
      ACTIONS.filter((action) => action !== 'administer'),
      { minLength: 1 },
    );
    await fc.assert(
      fc.asyncProperty(
        actions,
        fc.constantFrom(0, 5, 80),
        fc.boolean(),
        fc.array(fc.tuple(request, skipGate), { minLength: 1, maxLength: 8 }),
        async (allowed, canaryWeight, isHeld, requests) => {
          const remote = await newRemote(canaryWeight, isHeld);
          const token = await tokenWith(remote, allowed);
          const start = await stateOf(remote);
          for (const [[verb, body], gate] of requests) {
            const { revision } = await stateOf(remote);
            const whole = verb === 'pointer' ? { expectedRevision: revision } : {};
            await steer(remote, verb, { ...body, ...gate, ...whole }, token);
            const now = await stateOf(remote);
            const may = (action: Action) => (allowed as readonly Action[]).includes(action);
            expect(forbiddenPointer(may, start, now, VERSIONS.slice(0, 2))).toEqual([]);
          }
        },
      ),
      { numRuns: 40 },
    );
  }, 120_000);

  it.each<[Action[], string, object, number]>([
    [['canary'], 'canary', { version: '4.0.0', weight: CANARY_LIMIT }, 200],
    [['canary'], 'canary', { version: '4.0.0', weight: CANARY_LIMIT + 0.01 }, 403],
    [['publish', 'canary'], 'canary', { version: '4.0.0', weight: 100 }, 403],
    [['canary', 'rollback', 'end-canary'], 'canary', { version: '4.0.0', weight: 100 }, 403],
    [['promote'], 'canary', { version: '4.0.0', weight: 5 }, 403],
    [['canary', 'promote'], 'canary', { version: '4.0.0', weight: 100 }, 200],
    [['end-canary'], 'canary', { version: '4.0.0', weight: 0 }, 200],
    [['end-canary'], 'canary', { version: '4.0.0', weight: 0.01 }, 403],
    [['canary'], 'canary', { version: '4.0.0', weight: 0 }, 200],
    [['promote'], 'pointer', { live: '4.0.0' }, 200],
    [['promote'], 'pointer', { live: '3.0.0', canary: { version: '4.0.0', weight: 5 } }, 403],
    [['canary'], 'pointer', { live: '3.0.0', canary: { version: '4.0.0', weight: 5 } }, 403],
    [['canary'], 'promote', { version: '4.0.0' }, 403],
    [['canary'], 'rollback', {}, 403],
    [['rollback'], 'rollback', {}, 200],
    [['rollback'], 'hold', { why: 'test' }, 403],
    [['promote'], 'hold', { why: 'test' }, 200],
    [['publish'], 'canary', { version: '4.0.0', weight: 5 }, 403],
  ])('with %j: %s %j gets %i', async (actions, verb, body, status) => {
    const remote = await newRemote(0, false);
    const token = await tokenWith(remote, actions);
    const { revision } = await stateOf(remote);
    const whole = verb === 'pointer' ? { expectedRevision: revision } : {};
    expect(await steer(remote, verb, { ...body, ...whole }, token)).toMatchObject({ status });
  });

  it('say what a larger canary needs, and are recorded as they were used', async () => {
    const remote = await newRemote(0, false);
    const token = await tokenWith(remote, ['publish', 'canary']);
    expect(await steer(remote, 'canary', { version: '4.0.0', weight: 100 }, token)).toMatchObject({
      body: {
        error: {
          code: 'FORBIDDEN',
          message: expect.stringContaining(`more than ${CANARY_LIMIT} % of visitors needs promote ${remote}`),
        },
      },
    });
    await steer(remote, 'canary', { version: '4.0.0', weight: 20 }, token);
    const [change] = await registry.board.readChanges({ limit: 1, remote });
    expect(change).toMatchObject({ by: `ci-${remote}`, after: { canary: { weight: 20 } } });
  });
});
