import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { GateResult, Provides, Refusal } from '@forecourt/releases/gate';
import {
  sampleContainer,
  sampleRelease,
  temporaryDirectory,
  writeRelease,
} from '@forecourt/release-kit/testing';
import type { GatePage } from '@forecourt/releases/gatePages';
import { UsageError } from '../commandLine.ts';
import { lineOf } from '../testing/lineOf.ts';
import { findChrome } from '../trial/tryInChrome.ts';
import { gate } from './gate.ts';

const REFUSAL: Refusal = { rule: 'SLOT_RENDER', expected: 'it renders', found: 'boom', remedy: 'repair it' };
const PROVIDES: Provides = {
  shared: { react: '19.3.1' },
  contracts: { '@forecourt/slots': '1.0.0' },
  remotes: { sample: { slots: ['panel', 'side'] } },
  budgets: { remotes: {}, preset: { bytes: 100, reason: 'so small' } },
};

const PAGE: GatePage = {
  ...{ name: 'ordinary', url: '/', kind: 'results', isShown: true },
  state: { search: { listings: [] } },
  answers: {},
  slots: { panel: 'server' },
};

const chrome = findChrome(process.env);
const inChrome = chrome === undefined ? describe.skip : describe;
if (chrome === undefined) it.skip('skipped: there is no Chrome, nor CHROME_BIN', () => undefined);

/** A fake shell and registry: the gate accepts only 1.0.0, and only with the token. */
let shell: Server;
/** What the registry has as sample@1.0.0. */
let published = sampleRelease();
let url: string;
let build: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeAll(async () => {
  shell = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const file = request.url?.replace('/remotes/sample/1.0.0/', '') ?? '';
      if (published.files.has(file)) return response.end(published.files.get(file));
      response.setHeader('content-type', 'application/json');
      if (request.url === '/releases/provides') return response.end(JSON.stringify(PROVIDES));
      if (request.url === '/releases/recorded-pages') return response.end(JSON.stringify([PAGE]));
      if (request.url === '/api/releases/sample/1.0.0')
        return response.end(JSON.stringify(published.manifest));
      // Whoever asked the port's last owner may still ask here.
      if (request.method !== 'POST') return response.writeHead(404).end();
      const { remote, version } = JSON.parse(Buffer.concat(parts).toString()) as Record<string, string>;
      const isAccepted = version === '1.0.0' && request.headers.authorization === 'Bearer token';
      const result: GateResult = {
        release: `${remote}@${version}`,
        isAccepted,
        refusals: isAccepted ? [] : [REFUSAL],
        renders: [{ slot: 'panel', context: 'odd', isGood: isAccepted, ms: 7 }],
      };
      return response.end(JSON.stringify(result));
    });
  });
  await new Promise<void>((resolve) => shell.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(shell.address() as AddressInfo).port}`;
  build = await temporaryDirectory();
  await writeRelease(build.path, sampleRelease());
});
afterAll(async () => {
  await new Promise((resolve) => shell.close(resolve));
  await build.remove();
});

const run = (...words: string[]) => gate(lineOf(['gate', ...words], { REGISTRY_TOKEN: 'token' }));

describe('forecourt gate', () => {
  it("accepts a build that is compatible with this repository's shell", async () => {
    expect(await run(build.path)).toMatchObject({
      hasProblem: false,
      data: { release: 'sample@1.0.0', isAccepted: true, refusals: [] },
    });
  });

  it('rejects a build that is incompatible with a running shell, with every rule, as text and JSON', async () => {
    const { text, data, hasProblem } = await run(build.path, '--shell', url);
    expect(hasProblem).toBe(true);
    const { refusals } = data as { refusals: Refusal[] };
    expect(refusals.map(({ rule }) => rule)).toEqual(['SLOT_MISSING', 'SIZE_BUDGET']);
    expect(text).toContain(
      'SLOT_MISSING\n  expected  slot side, which the page places in sample\n  found     panel\n  do ',
    );
  });

  it('says that no browser hydrated the slots when there is none', async () => {
    const { text, data } = await run(build.path);
    expect(text).toContain('; its slots were hydrated in no browser: there is no Chrome: set CHROME_BIN');
    expect(data).toMatchObject({ browser: { skipped: 'there is no Chrome: set CHROME_BIN' } });
  });

  inChrome('in Chrome', () => {
    const runInChrome = (environment: Readonly<Record<string, string>>, ...words: string[]) =>
      gate(lineOf(['gate', ...words], { CHROME_BIN: chrome, REGISTRY_TOKEN: 'token', ...environment }));
    /** A release whose slot has this view; the hooks of React are in scope. */
    const viewing = (view: string) =>
      sampleRelease({
        files: {
          'web/remoteEntry.js': sampleContainer('web', "const { useEffect } = await share('react');").replace(
            'view: () => null',
            `view: ${view}`,
          ),
        },
      });
    const LEAKING = viewing('() => { useEffect(() => { setInterval(() => {}, 1_000); }, []); return null; }');

    it('hydrates the slots of a build over the recorded pages', async () => {
      const { text, data } = await runInChrome({}, build.path);
      expect(text).toMatch(/^sample@1\.0\.0 is accepted, .* its slots were hydrated 4 times: panel$/);
      const { renders } = (data as { browser: { renders: readonly { context: string }[] } }).browser;
      expect(renders.map(({ context }) => context)).toEqual(['empty', 'ordinary', 'odd', 'calls-fail']);
    }, 60_000);

    it('rejects a build with a slot that leaves a timer', async () => {
      const broken = await temporaryDirectory();
      await writeRelease(broken.path, LEAKING);
      const { data } = await runInChrome({}, broken.path);
      await broken.remove();
      expect(data).toMatchObject({
        isAccepted: false,
        refusals: [
          {
            rule: 'BROWSER_LEFTOVER',
            found: expect.stringMatching(
              /^setInterval of 1000 ms, of web\/remoteEntry\.js:\d+:\d+$/,
            ) as unknown,
          },
        ],
      });
    }, 60_000);

    it('rejects a published release that a shell accepts, over the pages of that shell', async () => {
      published = LEAKING;
      const id = ['sample@1.0.0', '--shell', url];
      const { data } = await runInChrome({ REGISTRY_URL: url }, ...id);
      expect(data).toMatchObject({ isAccepted: false, refusals: [{ rule: 'BROWSER_LEFTOVER' }] });
      published = sampleRelease();
      expect((await runInChrome({ REGISTRY_URL: url }, ...id)).text).toContain('hydrated 1 times: panel');
    }, 60_000);
  });

  it('rejects a style sheet that hides the slots of others', async () => {
    const foreign = await temporaryDirectory();
    const css = '.fc-slot:not([data-slot=panel]) { display: none !important }';
    await writeRelease(foreign.path, sampleRelease({ files: { 'web/panel.css': css } }));
    const { data } = await run(foreign.path);
    await foreign.remove();
    expect(data).toMatchObject({
      isAccepted: false,
      refusals: [{ rule: 'STYLE_NOT_OWN', found: '.fc-slot:not([data-slot=panel]) in web/panel.css' }],
    });
  });

  it('rejects files that differ from the manifest', async () => {
    const { manifest, files } = sampleRelease();
    const broken = await temporaryDirectory();
    await writeRelease(broken.path, {
      manifest,
      files: new Map(files).set('web/panel.css', Buffer.from('x')),
    });
    const { data } = await run(broken.path);
    await broken.remove();
    expect(data).toMatchObject({ isAccepted: false, refusals: [{ rule: 'FILES_UNUSABLE' }] });
  });

  it('asks a shell to gate a published release', async () => {
    expect(await run('sample@1.0.0', '--shell', url)).toEqual({
      text: "sample@1.0.0 is accepted, 1 renders, the slowest panel over 'odd' in 7 ms; its slots were hydrated in no browser: there is no Chrome: set CHROME_BIN",
      data: expect.objectContaining({ isAccepted: true }) as unknown,
      hasProblem: false,
    });
    expect(await run('sample', '2.0.0', '--shell', url)).toMatchObject({
      text: 'sample@2.0.0 is refused\nSLOT_RENDER\n  expected  it renders\n  found     boom\n  do        repair it',
      hasProblem: true,
    });
  });

  it.each([
    [
      'a web entry that is an ES module',
      { 'web/remoteEntry.js': 'export const init = () => {};' },
      'BROWSER_ENTRY',
      'web/remoteEntry.js is an ES module',
    ],
    [
      'a web entry that sets no container',
      { 'web/remoteEntry.js': 'self.other = {};' },
      'BROWSER_ENTRY',
      'does not set the global variable sample',
    ],
    [
      'a node entry that throws',
      { 'node/remoteEntry.js': "throw new Error('no such brand')" },
      'MODULE_LOAD',
      'no such brand',
    ],
    [
      'a module that throws in pages only',
      {
        'web/remoteEntry.js': sampleContainer(
          'web',
          "if (typeof window !== 'undefined') throw new Error('only here');",
        ),
      },
      'BROWSER_LOAD',
      'only here',
    ],
    [
      'another share scope',
      { 'web/remoteEntry.js': sampleContainer('web').replaceAll('scope[name]', 'scope.other[name]') },
      'SHARE_SCOPE',
      './panel does not load',
    ],
    [
      'a second React',
      { 'web/more.js': 'exports.__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE = {};' },
      'SECOND_COPY',
      'another in web/more.js',
    ],
  ])('rejects %s', async (_, files, rule, found) => {
    const broken = await temporaryDirectory();
    await writeRelease(broken.path, sampleRelease({ files: files as Record<string, string> }));
    const { data } = await run(broken.path);
    await broken.remove();
    expect(data).toMatchObject({
      isAccepted: false,
      refusals: [{ rule, found: expect.stringContaining(found) as unknown }],
    });
  });

  it.each([
    ['nothing', []],
    ['a release without a shell', ['sample', '1.0.0']],
    ['a remote without a version', ['sample', '--shell', 'http://localhost:1']],
    [
      'a recording of a published release',
      ['sample@1.0.0', '--shell', 'http://localhost:1', '--recording', 'x.json'],
    ],
    ['too much', ['sample', '1.0.0', 'more', '--shell', 'http://localhost:1']],
  ])('prints the usage for %s', async (_, words) => {
    await expect(run(...words)).rejects.toBeInstanceOf(UsageError);
  });

  it('rejects --skip-gate without --why', () => {
    expect(() => lineOf(['promote', 'sample', '--skip-gate'])).toThrow(UsageError);
  });
});
