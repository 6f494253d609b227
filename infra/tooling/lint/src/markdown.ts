import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A link, path or command in a Markdown file that leads nowhere. */
export interface DeadReference {
  readonly file: string;
  readonly reference: string;
}

const FENCE = /^```[^]*?^```/gm;
const LINK = /\]\((?![a-z]+:)([^)\s]*)\)/g;
const CODE = /`([^`\n]+)`/g;
/** A file or folder of the repository, without placeholders and globs. */
const PATH = /^(?:\.github|infra|mfe-[\w-]+|shared-contracts|shell)(?:\/[\w@.-]+)+\/?$/;
/** A source file, named with or without its folders. */
const FILE = /^[\w.-]+(?:\/[\w.-]+)*\.(?:tsx?|mjs|cjs|sh|tsv|ya?ml|css|vcl)$/;
const COMMAND = /\bnpm run (?:--silent )?([\w:-]+)(?: -w ([\w@/$-]+))?/g;

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/[`*]|\[|\]\([^)]*\)/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

const anchorsIn = (markdown: string): ReadonlySet<string> =>
  new Set(
    [...markdown.replaceAll(FENCE, '').matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!)),
  );

function linkLeadsNowhere(root: string, file: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? file : normalize(join(dirname(file), path));
  if (!existsSync(join(root, target))) return true;
  return (
    anchor !== undefined &&
    target.endsWith('.md') &&
    !anchorsIn(readFileSync(join(root, target), 'utf8')).has(anchor)
  );
}

interface Package {
  readonly name: string;
  readonly scripts?: Readonly<Record<string, string>>;
}

/**
 * Relative links whose file or heading doesn't exist, paths and names of files in code marks that don't exist, and
 * `npm run` commands without a script. Changelogs may name what is gone.
 */
export function deadReferences(root: string): readonly DeadReference[] {
  const listed = execFileSync('git', ['-C', root, 'ls-files'], { encoding: 'utf8', maxBuffer: 2 ** 25 });
  const files = listed.split('\n').filter((file) => file !== '' && existsSync(join(root, file)));
  const isFile = (name: string): boolean => files.some((file) => file === name || file.endsWith(`/${name}`));
  const packages = files
    .filter((file) => file.endsWith('package.json'))
    .map((file) => ({ file, ...(JSON.parse(readFileSync(join(root, file), 'utf8')) as Package) }));
  const hasScript = (script: string, workspace: string | undefined): boolean => {
    const candidates = packages.filter(({ file, name }) =>
      workspace === undefined ? true : name === workspace || dirname(file) === workspace,
    );
    // A placeholder such as $remote.
    return (
      workspace?.startsWith('$') === true || candidates.some(({ scripts }) => scripts?.[script] !== undefined)
    );
  };

  return files
    .filter((file) => file.endsWith('.md') && !/(?:^|\/)(?:CHANGELOG|template\/README)\.md$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const prose = text.replaceAll(FENCE, '');
      const links = [...prose.replaceAll(CODE, '').matchAll(LINK)].map(([, link]) => link!);
      const codes = [...prose.matchAll(CODE)].map(([, code]) => code!);
      const paths = codes.filter((code) => PATH.test(code));
      const names = codes.filter((code) => FILE.test(code) && !PATH.test(code));
      const commands = [...text.matchAll(COMMAND)];
      return [
        ...links.filter((link) => linkLeadsNowhere(root, file, link)),
        ...paths.filter(
          (path) => !/\b(?:dist|node_modules)\b|\.env$/.test(path) && !existsSync(join(root, path)),
        ),
        ...names.filter((name) => !isFile(name)),
        ...commands
          .filter(([, script, workspace]) => !hasScript(script!, workspace))
          .map(([command]) => command),
      ].map((reference) => ({ file, reference }));
    });
}
