import { resolve } from 'node:path';
import { describeContracts, versionSchema } from '@forecourt/releases/manifest';
import { packBuild } from '../build/packBuild.ts';
import { UsageError } from '../commandLine.ts';
import { type Command, formatKilobytes, rejectExtraArguments } from './command.ts';

/** `pack [DIRECTORY] [--web FOLDER] [--node FOLDER] [--out FOLDER] [--release VERSION]` */
export const pack: Command = async ({ args, packed }) => {
  const [directory = '.', ...rest] = args;
  rejectExtraArguments(rest);
  const { web = 'dist/web', node = 'dist/node', out = 'release', version } = packed;
  if (version !== undefined && !versionSchema.safeParse(version).success)
    throw new UsageError(
      `--release must be a semantic version of three numbers, like 1.5.0, not '${version}'`,
    );
  const folder = (path: string) => resolve(directory, path);
  const manifest = await packBuild({
    directory: resolve(directory),
    web: folder(web),
    node: folder(node),
    out: folder(out),
    version,
  });
  const files = Object.values(manifest.files);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const slots = Object.keys(manifest.slots).join(', ');
  return {
    text: `${manifest.name}@${manifest.version} in ${folder(out)}: ${slots}; ${files.length} files, ${formatKilobytes(bytes)}; built for ${describeContracts(manifest.contracts)}`,
    data: { folder: folder(out), manifest },
  };
};
