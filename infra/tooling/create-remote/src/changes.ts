import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { GeneratorError, type RemoteNames } from './names.ts';

/** A file that a generator writes. */
export interface Change {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly kind: 'create' | 'edit';
  readonly text: string;
}

const rename = (text: string, { remote, slot, component, title }: RemoteNames): string =>
  text
    .replaceAll('mfe-sample', remote)
    .replaceAll('sample-panel', slot)
    .replaceAll('SamplePanel', component)
    .replaceAll('Sample panel', title)
    .replaceAll('sample panel', title.toLowerCase());

/** Prettier's layout depends on the length of names, so generated text is formatted again. */
async function formatText(root: string, path: string, text: string): Promise<string> {
  if (!/\.(?:tsx?|css|md)$/.test(path)) return text;
  const filepath = join(root, path);
  return format(text, { ...(await resolveConfig(filepath)), filepath });
}

/** One new file in the remote's folder for each file of the template, with the new names. */
export async function planTemplate(root: string, template: string, names: RemoteNames): Promise<Change[]> {
  const files = readdirSync(template, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Promise.all(
    files.map(async (file): Promise<Change> => {
      const path = `${names.remote}/${rename(relative(template, file).split(sep).join('/'), names)}`;
      const text = await formatText(root, path, rename(readFileSync(file, 'utf8'), names));
      return { path, kind: 'create', text };
    }),
  );
}

/** An edit of a file that must exist. @throws GeneratorError REPOSITORY_UNEXPECTED */
export async function planEdit(root: string, path: string, edit: (text: string) => string): Promise<Change> {
  if (!existsSync(join(root, path))) throw new GeneratorError('REPOSITORY_UNEXPECTED', `${path} is missing`);
  const text = edit(readFileSync(join(root, path), 'utf8'));
  return { path, kind: 'edit', text: await formatText(root, path, text) };
}

/** Replaces a file in one step; a hard link elsewhere keeps its content. */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.new`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

export function writeChanges(root: string, changes: readonly Change[]): void {
  for (const { path, text } of changes) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    replaceFile(join(root, path), text);
  }
}
