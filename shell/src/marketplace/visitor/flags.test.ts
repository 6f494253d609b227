import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FLAGS } from '@forecourt/search/brands';
import type { Provider } from '@openfeature/server-sdk';
import { readConfig } from '../config.ts';
import { startShell } from '../../testing/shellRig.ts';
import { createBuiltInProvider, createFlagSource, type FlagContext, openFlagSource } from './flags.ts';

const VISITOR: FlagContext = { brand: 'atc', visitorId: 'v1', signedIn: false, isBot: false };

/** Says true for every flag of half the visitors, by their ids. */
const service = (resolve: (flag: string, context: object) => boolean): Provider => ({
  runsOn: 'server',
  metadata: { name: 'test' },
  resolveBooleanEvaluation: async (flag, _preset, context) => ({ value: resolve(flag, context) }),
  resolveStringEvaluation: async (_flag, value) => ({ value }),
  resolveNumberEvaluation: async (_flag, value) => ({ value }),
  resolveObjectEvaluation: async (_flag, value) => ({ value }),
});

describe('flags', () => {
  it('have their defaults without a flag service', async () => {
    const source = await createFlagSource(createBuiltInProvider([]));
    expect(await source.flagsFor(VISITOR)).toEqual(FLAGS);
  });

  it('are set by the configuration, for all brands or one, the brand’s own first', async () => {
    const source = await openFlagSource(
      readConfig({ FLAGS: 'oem:compare=true, compare=false,kbb:fluidAds=true' }),
    );
    const of = (brand: FlagContext['brand']) => source.flagsFor({ ...VISITOR, brand });
    expect(await of('atc')).toEqual({ ...FLAGS, compare: false });
    expect(await of('oem')).toEqual({ ...FLAGS, compare: true });
    expect(await of('kbb')).toEqual({ ...FLAGS, compare: false, fluidAds: true });
  });

  it.each(['compare', 'compare=1', 'nothing=true', 'abc:compare=true', '__proto__=true'])(
    'reject the configuration %j',
    (text) => {
      expect(() => readConfig({ FLAGS: text })).toThrow(/FLAGS/);
    },
  );

  it('come from any OpenFeature provider, which gets the context', async () => {
    const asked: object[] = [];
    const source = await createFlagSource(
      service((flag, context) => {
        asked.push(context);
        return flag === 'fluidAds';
      }),
    );
    const flags = await source.flagsFor({ ...VISITOR, brand: 'kbb', signedIn: true });
    expect(Object.entries(flags).filter(([, value]) => value)).toEqual([['fluidAds', true]]);
    expect(asked[0]).toEqual({ targetingKey: 'v1', brand: 'kbb', signedIn: true, isBot: false });
  });

  it('are evaluated once per brand where they are the same for every visitor', async () => {
    const evaluated: object[] = [];
    const provider = service((_flag, context) => evaluated.push(context) > 0);
    const source = await createFlagSource(provider, { isByBrand: true });
    const first = await source.flagsFor(VISITOR);
    const count = evaluated.length;
    expect(await source.flagsFor({ ...VISITOR, visitorId: 'v2', isBot: true })).toEqual(first);
    expect(evaluated).toHaveLength(count);
    await source.flagsFor({ ...VISITOR, brand: 'kbb' });
    expect(evaluated).toHaveLength(2 * count);
  });

  it('have their defaults when the service fails', async () => {
    const source = await createFlagSource(
      service(() => {
        throw new Error('away');
      }),
    );
    expect(await source.flagsFor(VISITOR)).toEqual(FLAGS);
  });

  it('of two sources in one process are separate', async () => {
    const [on, off] = await Promise.all([
      createFlagSource(service(() => true)),
      createFlagSource(service(() => false)),
    ]);
    expect((await on.flagsFor(VISITOR)).peekaboo).toBe(true);
    expect((await off.flagsFor(VISITOR)).peekaboo).toBe(false);
  });

  it("apply to the page; a tester's overrides win in local mode", async () => {
    const flags = await createFlagSource(service((flag) => flag !== 'compare'));
    const rig = await startShell({ deps: { flags }, environment: { LOCAL_MODE: 'true' } });
    try {
      const flagOf = async (headers: Record<string, string> = {}) =>
        /"compare":(true|false)/.exec((await rig.send('/cars-for-sale/all-cars', { headers })).text)?.[1];
      expect(await flagOf()).toBe('false');
      expect(await flagOf({ 'X-Flags': 'compare=true' })).toBe('true');
      expect(await flagOf({ Cookie: 'flags=compare=true' })).toBe('true');
    } finally {
      await rig.stop();
    }
  });
});

describe("deployment's provider", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'forecourt-flags-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const moduleOf = (source: string): string => {
    const path = join(mkdtempSync(join(folder, 'provider-')), 'provider.mjs');
    writeFileSync(path, source);
    return path;
  };
  const PROVIDER = `{ runsOn: 'server', metadata: { name: 'own' }, resolveBooleanEvaluation: async () => ({ value: true }) }`;

  it.each([
    ['itself', `export default ${PROVIDER};`],
    ['as a function that makes it', `export default async () => (${PROVIDER});`],
  ])('is the default export of a module, %s', async (_, source) => {
    const source_ = await openFlagSource(readConfig({ FLAGS: `file:${moduleOf(source)}` }));
    expect((await source_.flagsFor(VISITOR)).peekaboo).toBe(true);
  });

  it('is refused when it is missing', async () => {
    const config = readConfig({ FLAGS: `file:${moduleOf('export const x = 1;')}` });
    await expect(openFlagSource(config)).rejects.toThrow(/^FLAGS: .*exports no OpenFeature provider/);
  });
});
