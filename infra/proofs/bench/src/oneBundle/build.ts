import { resolve } from 'node:path';
import { compile } from '@forecourt/build/buildRelease';
import { defineShell } from '@forecourt/build/defineShell';
import webpack, { type Configuration } from 'webpack';

export const REPOSITORY = resolve(import.meta.dirname, '../../../../..');
const DIST = resolve(import.meta.dirname, '../../dist');

export const ONE_BUNDLE_WEB = resolve(DIST, 'web');
export const ONE_BUNDLE_SERVER = resolve(DIST, 'server/server.cjs');

/** Replaces the layout by one in which the shell is the source of every slot. */
const ownLayout = new webpack.NormalModuleReplacementPlugin(/\/layouts\.ts$/, (resource) => {
  if (!/[\\/]oneBundle[\\/]/.test(resource.contextInfo.issuer)) {
    resource.request = resolve(import.meta.dirname, 'layout.ts');
  }
});

const withName = (configuration: Configuration, name: string): Configuration => ({
  ...configuration,
  name,
  cache: { ...(configuration.cache as webpack.FileCacheOptions), name },
});

/** One bundle contains the forms of remotes with their schemas. */
const LEFT_OUT: ReadonlySet<string> = new Set(['ForbidPackagePlugin']);

/** The shell's webpack configurations with other entries and without federation; nothing else differs. */
export async function buildOneBundle(): Promise<void> {
  const [web, server, , early] = defineShell(resolve(REPOSITORY, 'shell')) as [
    Configuration,
    Configuration,
    Configuration,
    Configuration,
  ];
  await compile([
    {
      ...withName(web, 'one-bundle-web'),
      entry: { shell: resolve(import.meta.dirname, 'browser.ts') },
      output: { ...web.output, path: ONE_BUNDLE_WEB },
      plugins: (web.plugins ?? []).filter((plugin) => !LEFT_OUT.has(plugin?.constructor.name ?? '')),
    },
    {
      ...withName(server, 'one-bundle-server'),
      entry: { server: resolve(import.meta.dirname, 'server.ts') },
      output: { ...server.output, path: resolve(DIST, 'server') },
      plugins: [...(server.plugins ?? []), ownLayout],
    },
    { ...withName(early, 'one-bundle-early'), output: { ...early.output, path: resolve(DIST, 'early') } },
  ]);
}
