import { describe, expect, it } from '@jest/globals';
import type { LoadedRelease } from '../../rendering/release.ts';
import { tinyRelease } from '../../rendering/testing/tinyRelease.ts';
import { OverrideReleases } from './overrideReleases.ts';

const MINUTE = 60_000;

function start(admit = (release: LoadedRelease) => Promise.resolve(release), remotes = 2) {
  const clock = { now: 0 };
  const retired: string[] = [];
  const admitted: string[] = [];
  const built = { text: 'first' };
  const releases = new OverrideReleases({
    sourceOf: ({ remote, version = '0.0.1', origin }) => ({
      manifest: () =>
        Promise.resolve({
          ...tinyRelease({}, { name: remote, version }).manifest,
          shared: origin ? { [built.text]: '1' } : {},
        }),
      file: () => Promise.reject(new Error('no files here')),
    }),
    admit: (_, manifest, id) => {
      admitted.push(id);
      return admit({ ...tinyRelease({}), manifest, id });
    },
    retire: (id) => retired.push(id),
    remotes: () => remotes,
    now: () => clock.now,
    waitMs: 20,
  });
  return { ...releases, clock, retired, admitted, built };
}
const published = (remote: string, version = '1.0.0') => ({ remote, version });

describe('override releases', () => {
  it('load once for concurrent requests, under an id distinct from the published release', async () => {
    const { load, find, admitted } = start();
    const [one, two] = await Promise.all([load(published('mfe-a')), load(published('mfe-a'))]);
    expect(one).toBe(two);
    expect(admitted).toHaveLength(1);
    expect(one.metricsLabel).toBe('override');
    expect(one.id).toMatch(/^mfe-a@1\.0\.0\+override\.\w{12}$/);
    expect(find('mfe-a', '1.0.0')).toBe(one);
    const local = await load({ remote: 'mfe-a', version: '1.0.0', origin: 'http://localhost:5001' });
    expect(local.id).not.toBe(one.id);
    expect(local.filesFrom).toBe('http://localhost:5001');
    expect(find('mfe-a', '1.0.0')).toBe(one);
  });

  it('are limited to two for each remote: an idle one is replaced, a busy one is not', async () => {
    const { load, clock, retired } = start();
    for (const name of ['mfe-a', 'mfe-b', 'mfe-c', 'mfe-d']) await load(published(name));
    await expect(load(published('mfe-e'))).rejects.toMatchObject({ code: 'OVERRIDE_BUSY' });
    clock.now += MINUTE;
    for (const name of ['mfe-a', 'mfe-b', 'mfe-d']) await load(published(name));
    await load(published('mfe-e'));
    expect(retired).toEqual([expect.stringContaining('mfe-c@1.0.0')]);
  });

  it('hold a snapshot of every remote, however many there are', async () => {
    const { load } = start(undefined, 9);
    for (const name of 'abcdefghi') await load(published(`mfe-${name}`));
    await expect(load(published('mfe-a', '2.0.0'))).resolves.toMatchObject({ metricsLabel: 'override' });
  });

  it('are retired when they are idle', async () => {
    const { load, clock, retired, retireIdle, find } = start();
    await load(published('mfe-a'));
    clock.now += 4 * MINUTE;
    await load(published('mfe-b'));
    clock.now += 2 * MINUTE;
    retireIdle();
    expect(retired).toEqual([expect.stringContaining('mfe-a')]);
    expect(find('mfe-b', '1.0.0')).toBeDefined();
  });

  it('replace an older build of the same origin', async () => {
    const { load, retired, built } = start();
    const override = { remote: 'mfe-a', origin: 'http://localhost:5001' };
    const first = await load(override);
    expect(await load(override)).toBe(first);
    built.text = 'second';
    const second = await load(override);
    expect(second.id).not.toBe(first.id);
    expect(retired).toEqual([first.id]);
  });

  it('are not retried for a moment after a refusal', async () => {
    const { load, clock, admitted } = start(() => Promise.reject(new Error('it threw')));
    await expect(load(published('mfe-a'))).rejects.toThrow('it threw');
    await expect(load(published('mfe-a'))).rejects.toThrow('it threw');
    expect(admitted).toHaveLength(1);
    clock.now += MINUTE;
    await expect(load(published('mfe-a'))).rejects.toThrow('it threw');
    expect(admitted).toHaveLength(2);
  });

  it('time out while loading and are available later', async () => {
    const gate = Promise.withResolvers<void>();
    const { load } = start((release) => gate.promise.then(() => release));
    await expect(load(published('mfe-a'))).rejects.toMatchObject({ code: 'OVERRIDE_BUSY' });
    gate.resolve();
    expect((await load(published('mfe-a'))).manifest.version).toBe('1.0.0');
  });
});
