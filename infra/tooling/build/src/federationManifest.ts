import type { ReleaseManifest } from '@forecourt/releases/manifest';
import { containerGlobal } from '@forecourt/releases/containerNames';

/** Where hosts of other sites find what the release exposes, as Module Federation's documentation names it. */
export const FEDERATION_MANIFEST = 'mf-manifest.json';

const below = (paths: readonly string[]) => paths.map((path) => path.slice('web/'.length));
const assets = (js: readonly string[] = [], css: readonly string[] = []) => ({
  js: { sync: js, async: [] },
  css: { sync: css, async: [] },
});

/**
 * The release for hosts that are not its shell, and for the tools of Module Federation, in the format of its plugins:
 * https://module-federation.io/configure/manifest. Its paths are relative to the file's own address.
 * @param version not derived from the content, of which this file is a part
 */
export function describeFederation(
  { name, shared, slots, entry }: Pick<ReleaseManifest, 'name' | 'shared' | 'slots' | 'entry'>,
  version: string,
): object {
  const id = containerGlobal(name);
  return {
    id,
    name: id,
    metaData: {
      name: id,
      type: 'app',
      buildInfo: { buildVersion: version, buildName: name },
      remoteEntry: { name: below([entry.web])[0], path: '', type: 'global' },
      types: { path: '', name: '', zip: '', api: '' },
      globalName: id,
      pluginVersion: '2.9.2',
      publicPath: 'auto',
    },
    shared: Object.entries(shared).map(([module, requiredVersion]) => ({
      id: `${id}:${module}`,
      name: module,
      version: '',
      singleton: true,
      requiredVersion,
      assets: assets(),
    })),
    remotes: [],
    exposes: Object.entries(slots).map(([slot, { expose, scripts, styles }]) => ({
      id: `${id}:${slot}`,
      name: slot,
      path: expose,
      assets: assets(below(scripts), below(styles)),
    })),
  };
}
