import { join } from 'node:path';
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
