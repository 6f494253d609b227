import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile } from '@forecourt/build/buildRelease';
import { defineRemote, readRemotePackage } from '@forecourt/build/defineRemote';
import { defineShell } from '@forecourt/build/defineShell';
import { expect, it } from '@jest/globals';
import { REPOSITORY } from './repository.ts';
import { forDevelopment } from './watch.ts';

it('builds for browsers with the development code of React, which knows what its JSX calls, and for servers without', () => {
  const remote = readRemotePackage(join(REPOSITORY, 'mfe-showcase'));
  const builds = [
    ...defineRemote(remote, { isRefreshable: true }),
    ...defineShell(join(REPOSITORY, 'shell'), { isRefreshable: true }),
  ];
  const development = forDevelopment(builds, '/dist');
  const modes = development.map(({ name = '', optimization }) => [
    name,
    optimization?.nodeEnv === 'development',
  ]);
  expect(modes).toEqual(
    expect.arrayContaining([
      ['mfe-showcase web', true],
      ['mfe-showcase node', false],
    ]),
  );
  // Errors in the browser's tools name lines of the sources.
  expect(development.map(({ devtool }) => devtool !== false)).toEqual(
    modes.map(([, isForBrowsers]) => isForBrowsers),
  );
  expect(modes.filter(([, isDevelopment]) => isDevelopment).map(([name]) => name)).toEqual(
    expect.arrayContaining(['mfe-showcase web', 'shell web']),
  );
});

it('lets the tools of a browser show the line of the source for each line of a build', async () => {
  const dist = mkdtempSync(join(tmpdir(), 'forecourt-maps-'));
  try {
    const remote = readRemotePackage(join(REPOSITORY, 'mfe-showcase'));
    const builds = forDevelopment(defineRemote(remote, { isRefreshable: true }), dist);
    await compile(builds.filter(({ name }) => name === 'mfe-showcase web'));
    const path = 'mfe-showcase/src/Showcase.tsx';
    const marker = 'Sponsored showcase hidden';
    const web = join(dist, 'web');
    const chunk = readdirSync(web)
      .filter((file) => file.endsWith('.js'))
      .map((file) => readFileSync(join(web, file), 'utf8'))
      .find((code) => code.replace(/sourceMappingURL=.*/, '').includes(marker))!;
    const [, map = ''] = /sourceMappingURL=data:[^,]*;base64,(\S+)/.exec(chunk) ?? [];
    const payload = JSON.parse(Buffer.from(map, 'base64').toString('utf8')) as SourceMapPayload;
    const line = chunk.split('\n').findIndex((text) => text.includes(marker));
    const entry = new SourceMap(payload).findEntry(line, chunk.split('\n')[line]!.indexOf(marker));
    expect(entry).toMatchObject({ originalSource: `webpack:///${path}` });
    const sources = readFileSync(join(REPOSITORY, path), 'utf8').split('\n');
    expect(sources[(entry as { originalLine: number }).originalLine]).toContain(marker);
  } finally {
    rmSync(dist, { recursive: true });
  }
}, 60_000);
