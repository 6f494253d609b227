import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

// Runs programs over a copy of the sources.
jest.setTimeout(120_000);

const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url));
const GUIDE = readFileSync(join(REPOSITORY, 'CONTRIBUTING.md'), 'utf8');

/** Packages that import the files that are edited, directly or not. */
const COPIED = [
  'shared-contracts',
  'shell',
  'mfe-filters',
  'infra/demo-data',
  'infra/service-kit',
  'infra/services/marketplace-api',
  'infra/tooling/build',
];

/** Inserts `added` behind the first `anchor` of a file. */
interface Edit {
  readonly path: string;
  readonly anchor: string;
  readonly added: string;
}

const FILTER: readonly Edit[] = [
  {
    path: 'shared-contracts/search/src/criteria/filterSections.ts',
    anchor: "{ name: 'doorCode', label: 'Doors', kind: 'multi', params: ['doorCode'] },",
    added: `{ name: 'engineName', label: 'Engine', kind: 'multi', params: ['engineName'] },
  { name: 'oneOwner', label: 'One Owner', kind: 'boolean', params: ['oneOwner'] },`,
  },
  {
    path: 'infra/services/marketplace-api/src/search/listingIndex/listingIndex.ts',
    anchor: 'export const SINGLE_FACETS = {',
    added: `engineName: ({ engineName }) => engineName,
  oneOwner: ({ history }) => (history.includes('ONE_OWNER') ? 'true' : undefined),`,
  },
  {
    path: 'infra/services/marketplace-api/src/domain/labels.ts',
    anchor: 'const TABLES: Partial<Record<FilterParam, CodeTable>> = {',
    added: "engineName: { I4: 'Four in line', V6: 'Six in a V' },",
  },
];

const CALL: readonly Edit[] = [
  {
    path: 'shared-contracts/upstream/src/calls/reference.ts',
    anchor: 'export const REFERENCE_CALLS = {',
    added: `
      seatCounts: {
        ...optionalRead,
        ...timesOf('reference'),
        service: 'reference',
        path: '/rest/lsc/reference/seats',
        fallback: emptyFallback({ seats: [] }),
        response: z.object({ seats: z.array(z.number()) }),
      },`,
  },
  {
    path: 'infra/services/marketplace-api/src/search/reference/referenceRoutes.ts',
    anchor: 'const reads: Read[] = [',
    added: `
      { path: '/rest/lsc/reference/seats', control: 'no-store', read: () => ({ seats: [2, 5, 7] }) },`,
  },
];

const run = promisify(execFile);
let root: string;

/** Links installed packages into the copy; workspaces link to their copies. */
function linkPackages(): void {
  for (const folder of ['', ...COPIED]) {
    const installed = join(REPOSITORY, folder, 'node_modules');
    for (const name of existsSync(installed) ? readdirSync(installed) : []) {
      if (name === '@forecourt') continue;
      mkdirSync(join(root, folder, 'node_modules'), { recursive: true });
      symlinkSync(join(installed, name), join(root, folder, 'node_modules', name));
    }
  }
  mkdirSync(join(root, 'node_modules/@forecourt'));
  const contracts = ['releases', 'slots', 'upstream', 'search'].map((name) => `shared-contracts/${name}`);
  for (const folder of [...COPIED, ...contracts])
    symlinkSync(join(root, folder), join(root, 'node_modules/@forecourt', basename(folder)));
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'forecourt-contributing-'));
  for (const folder of COPIED)
    cpSync(join(REPOSITORY, folder), join(root, folder), {
      recursive: true,
      filter: (path) => !['node_modules', 'dist', '.cache', '.data'].includes(basename(path)),
    });
  linkPackages();
  for (const { path, anchor, added } of [...FILTER, ...CALL]) {
    const text = readFileSync(join(root, path), 'utf8');
    expect([path, text.split(anchor).length]).toEqual([path, 2]);
    writeFileSync(
      join(root, path),
      text.replace(anchor, () => anchor + added),
    );
  }
});
afterAll(() => rmSync(root, { recursive: true }));

/** Runs a module in the copy and returns what it printed. */
async function runInCopy(program: string): Promise<unknown> {
  const file = join(root, 'program.ts');
  writeFileSync(
    file,
    `import { registerTsx } from '@forecourt/build/loadTsx';
registerTsx();
const { aListing, anOwner } = await import('./infra/services/marketplace-api/src/testing/arbitraries.ts');
const { startTestApp } = await import('./infra/services/marketplace-api/src/testing/testApp.ts');
${program}
process.exit(0);`,
  );
  const { stdout } = await run(process.execPath, ['--no-warnings', file], { cwd: root });
  return JSON.parse(stdout);
}

/** The files that a section of CONTRIBUTING.md lists, without steps that name no file. */
function listedFiles(heading: string): string[] {
  const section = GUIDE.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\d\. `([^`]+)`/gm)].map(([, path]) => path!);
}

describe('adding a filter as CONTRIBUTING.md says', () => {
  it('adds a filter with at most four files, those listed in CONTRIBUTING.md', () => {
    expect(FILTER.map(({ path }) => path)).toEqual(listedFiles('Add a filter'));
    expect(FILTER.length).toBeLessThanOrEqual(4);
  });

  it('gives the new filter a URL parameter, filtered and counted results, and a section of the panel', async () => {
    const result = await runInCopy(`
const { decodeUrl } = await import('@forecourt/search/decode');
const { EMPTY_SLUG_REFERENCE } = await import('@forecourt/search/criteria');
const { encodeUrl } = await import('@forecourt/search/url');
const { emptySearch, anonymousSession, marketplaceState } = await import('@forecourt/search/state');
const { renderSlot } = await import('@forecourt/slots/server');
const { default: panel } = await import('./mfe-filters/src/slots/filters.tsx');
const engines = ['I4', 'I4', 'V6'];
const app = await startTestApp({
  owners: [anOwner()],
  listings: engines.map((engineName, at) => aListing({ id: String(1000001 + at), engineName })),
});
const { criteria } = decodeUrl('/cars-for-sale/all-cars', 'engineName=V6', EMPTY_SLUG_REFERENCE);
const response = await app.json('/rest/lsc/listing?engineName=V6');
await app.stop();
const { html } = await renderSlot(marketplaceState, panel, {
  slot: 'filters',
  state: { search: { ...emptySearch, criteria, filters: response.filters }, session: anonymousSession },
  call: () => Promise.reject(new Error('no call')),
  signal: AbortSignal.timeout(10_000),
});
console.log(JSON.stringify({
  values: criteria.filters.engineName,
  url: encodeUrl(criteria, EMPTY_SLUG_REFERENCE),
  total: response.totalResultCount,
  filter: response.filters.find(({ name }) => name === 'engineName'),
  hasGroup: response.filterGroups?.some(({ filters }) => filters.includes('engineName')),
  section: html.replaceAll(/<[^>]*>/g, ' ').includes('Engine'),
  input: /<input[^>]*name="engineName"[^>]*>/.test(html),
}));`);
    expect(result).toEqual({
      values: ['V6'],
      url: expect.stringMatching(/[?&]engineName=V6$/),
      total: 1,
      filter: expect.objectContaining({
        label: 'Engine',
        options: [
          expect.objectContaining({ value: 'I4', label: 'Four in line', count: 2, selected: false }),
          expect.objectContaining({ value: 'V6', label: 'Six in a V', count: 1, selected: true }),
        ],
      }),
      hasGroup: true,
      section: true,
      input: true,
    });
  });
});

describe('adding a filter that is on or off as CONTRIBUTING.md says', () => {
  it('has a chip with the label of its section', async () => {
    const result = await runInCopy(`
const { chipsOf, createLabels } = await import('@forecourt/search/catalog');
const { decodeUrl } = await import('@forecourt/search/decode');
const { EMPTY_SLUG_REFERENCE } = await import('@forecourt/search/criteria');
const app = await startTestApp({
  owners: [anOwner()],
  listings: ['ONE_OWNER', 'CLEAN_TITLE'].map((fact, at) => aListing({ id: String(1000001 + at), history: [fact] })),
});
const { criteria } = decodeUrl('/cars-for-sale/all-cars', 'oneOwner=true', EMPTY_SLUG_REFERENCE);
const { totalResultCount, filters } = await app.json('/rest/lsc/listing?oneOwner=true');
await app.stop();
const labelsWith = (source) => chipsOf(criteria, { labelOf: createLabels(source) }).map(({ label }) => label);
console.log(JSON.stringify({ totalResultCount, before: labelsWith({}), after: labelsWith({ filters }) }));`);
    expect(result).toEqual({ totalResultCount: 1, before: ['One Owner'], after: ['One Owner'] });
  });

  it('leaves the tests green that stand beside the edited files', async () => {
    const tests = ['criteria/filterSections', 'catalog/chips', 'catalog/catalog', 'url/url.parameters'];
    const jestProgram = join(REPOSITORY, 'node_modules/jest/bin/jest.js');
    const { stderr } = await run(
      process.execPath,
      [
        '--experimental-vm-modules',
        '--no-warnings',
        jestProgram,
        '--config',
        JSON.stringify({ rootDir: root, preset: '@forecourt/build', cacheDirectory: join(root, '.cache') }),
        ...tests.map((name) => `shared-contracts/search/src/${name}`),
      ],
      { cwd: root },
    );
    expect(stderr).toMatch(/Tests: +\d+ passed, \d+ total/);
  });
});

describe('adding an upstream call as CONTRIBUTING.md says', () => {
  it('adds an upstream call with the files listed in CONTRIBUTING.md and a caller', () => {
    expect(CALL.map(({ path }) => path)).toEqual(listedFiles('Add an upstream call'));
    expect(CALL.length + 1).toBeLessThanOrEqual(3);
  });

  it('calls the upstream through the gateway with metrics, and falls back when it fails', async () => {
    const result = await runInCopy(`
const { Registry } = await import('prom-client');
const { createGateway } = await import('./shell/src/engine/gateway/gateway.ts');
const { createGatewayMetrics } = await import('./shell/src/engine/gateway/gatewayMetrics.ts');
const { callsWithWallet } = await import('./shell/src/marketplace/calls/callsWithWallet.ts');
const app = await startTestApp({ owners: [anOwner()], listings: [aListing()] });
const registry = new Registry();
const gateway = createGateway({
  baseUrl: app.origin,
  calls: callsWithWallet('/'),
  metrics: createGatewayMetrics(registry),
  log: () => {},
});
const call = () => gateway.call('seatCounts', {}, { requestId: 'request-1' });
const { paths } = await app.json('/openapi.json');
const answer = await call();
const counted = /forecourt_call_seconds_count{call="seatCounts",outcome="ok"} 1/.test(await registry.metrics());
await app.stop();
console.log(JSON.stringify({
  answer,
  counted,
  documented: '/rest/lsc/reference/seats' in paths,
  fallback: await call(),
}));`);
    expect(result).toEqual({
      answer: { seats: [2, 5, 7] },
      counted: true,
      documented: true,
      fallback: { seats: [] },
    });
  });
});

describe('the copy with both additions', () => {
  it('type-checks with both additions', async () => {
    const options = { ...JSON.parse(readFileSync(join(REPOSITORY, 'tsconfig.json'), 'utf8')) } as {
      compilerOptions: object;
    };
    const config = {
      compilerOptions: { ...options.compilerOptions, incremental: false, tsBuildInfoFile: undefined },
      files: [
        'shell/src/engine/gateway/gateway.ts',
        'mfe-filters/src/slots/filters.tsx',
        'infra/services/marketplace-api/src/app.ts',
      ].map((path) => join(root, path)),
      include: ['infra/tooling/build/types/css.d.ts'],
    };
    writeFileSync(join(root, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(dirname(fileURLToPath(import.meta.resolve('typescript'))), 'tsc.js');
    const { stdout } = await run(process.execPath, [tsc, '-p', 'tsconfig.json'], { cwd: root }).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });
});
