import { dirname, join } from 'node:path';
import { type Package, packageOf, type Sources } from './sources.ts';

export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly rule: 'boundary' | 'deep-import' | 'file-cycle' | 'folder-cycle' | 'package-cycle';
  readonly message: string;
}

type Kind = 'remote' | 'shell' | 'contracts' | 'infra';

const kindOf = ({ folder }: Package): Kind =>
  folder.startsWith('mfe-')
    ? 'remote'
    : folder === 'shell'
      ? 'shell'
      : folder === 'shared-contracts'
        ? 'contracts'
        : 'infra';

/** Which other packages each kind may import, and the message for a violation. */
const ALLOWED: Readonly<Record<Kind, { readonly kinds: readonly Kind[]; readonly message: string }>> = {
  remote: {
    kinds: ['contracts'],
    message: 'A remote imports libraries and shared-contracts, nothing else of this repository.',
  },
  shell: {
    kinds: ['contracts'],
    message: 'The shell imports libraries and shared-contracts, nothing else of this repository.',
  },
  contracts: { kinds: [], message: 'shared-contracts imports libraries only.' },
  infra: {
    kinds: ['contracts', 'infra'],
    message: 'infra builds, runs and tests the shell and the remotes; it does not import them.',
  },
};

/** The page as one bundle links every slot: it is what composing at run time is measured against. */
const ONE_BUNDLE = 'infra/proofs/bench/src/oneBundle/';

/** '@forecourt/build/rules' → ['@forecourt/build', './rules']. */
function splitName(specifier: string): [name: string, subpath: string] {
  const [scope, name, ...rest] = specifier.split('/');
  return [`${scope}/${name}`, ['.', ...rest].join('/')];
}

function refusal(
  sources: Sources,
  file: string,
  specifier: string,
): Omit<Problem, 'file' | 'line'> | undefined {
  const own = packageOf(sources, file);
  if (!own) return undefined;
  const { kinds, message } = ALLOWED[kindOf(own)];
  if (specifier.startsWith('.')) {
    const target = join(dirname(file), specifier).replaceAll('\\', '/');
    if (target.startsWith(`${own.folder}/`)) return undefined;
    const other = packageOf(sources, target);
    if (other && !kinds.includes(kindOf(other))) return { rule: 'boundary', message };
    return {
      rule: 'deep-import',
      message: 'Packages import each other by name, never by a path out of their own folder.',
    };
  }
  if (!specifier.startsWith('@forecourt/')) return undefined;
  const [name, subpath] = splitName(specifier);
  const other = sources.packages.find((each) => each.name === name);
  if (other === own) return undefined;
  if (!other || !kinds.includes(kindOf(other))) return { rule: 'boundary', message };
  if (other.exports.includes(subpath)) return undefined;
  return { rule: 'deep-import', message: `${name} does not export '${subpath}'.` };
}

/** Imports across packages that their direction or the other package's `exports` forbids. */
export function boundaryProblems(sources: Sources): Problem[] {
  const problems: Problem[] = [];
  for (const [file, imports] of sources.imports) {
    if (file.startsWith(ONE_BUNDLE)) continue;
    for (const { specifier, line } of imports) {
      const refused = refusal(sources, file, specifier);
      if (refused)
        problems.push({ file, line, ...refused, message: `imports '${specifier}': ${refused.message}` });
    }
  }
  return problems;
}
