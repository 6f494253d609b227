import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CodedError } from './codedError.ts';

export const FEDERATION_MANIFEST = 'mf-manifest.json';

const files = z.object({ sync: z.array(z.string()).default([]), async: z.array(z.string()).default([]) });

/** What Module Federation's plugins write about a build (`manifest: true`), as far as a release needs it. */
const federationManifestSchema = z.object({
  name: z.string(),
  metaData: z.object({
    globalName: z.string().optional(),
    remoteEntry: z.object({ name: z.string(), path: z.string().default(''), type: z.string().optional() }),
    ssrRemoteEntry: z.object({ name: z.string(), path: z.string().default('') }).optional(),
  }),
  exposes: z
    .array(z.object({ path: z.string().startsWith('./'), assets: z.object({ js: files, css: files }) }))
    .default([]),
});
export type FederationManifest = z.infer<typeof federationManifestSchema>;

/** Undefined if the folder has none. @throws CodedError */
export function readFederationManifest(folder: string): FederationManifest | undefined {
  const file = join(folder, FEDERATION_MANIFEST);
  if (!existsSync(file)) return undefined;
  const parsed = federationManifestSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new CodedError(
    'FEDERATION_MANIFEST',
    `${file} is not what Module Federation documents: ${z.prettifyError(parsed.error).replaceAll(/\s*\n\s*/g, ' ')}; build with a current version of the plugin and \`manifest: true\``,
  );
}

/** 'static/js/remoteEntry.js' */
export const entryPath = ({ name, path }: { readonly name: string; readonly path: string }): string =>
  join(path, name).replaceAll('\\', '/').replace(/^\/+/, '');
