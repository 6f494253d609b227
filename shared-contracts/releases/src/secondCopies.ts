import type { Refusal } from './gate.ts';
import type { ReleaseManifest } from './manifest.ts';

/** Text that a library itself has and code that only uses it has not, minified or not. */
const LIBRARIES: readonly (readonly [name: string, text: RegExp])[] = [
  [
    'react',
    /\.__(?:CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE|SECRET_INTERNALS_DO_NOT_USE_OR_YOU_WILL_BE_FIRED)\s*=[^=]/,
  ],
  ['react-dom', /\.__DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE\s*=[^=]/],
  ['react-redux', /Symbol\.for\(["'`]react-redux-context["'`]\)/],
];

/**
 * Copies of libraries of which a page has one: components that use a second React fail at their first hook. A fallback copy
 * that is never loaded is one, too: the gate knows that it is not needed.
 */
export function checkCopies(
  { files }: Pick<ReleaseManifest, 'files'>,
  read: (path: string) => Buffer | undefined,
): Refusal[] {
  const found = new Map<string, string>();
  for (const path of Object.keys(files)) {
    if (!/\.[cm]?js$/.test(path)) continue;
    const source = read(path)?.toString('utf8') ?? '';
    for (const [name, text] of LIBRARIES) if (!found.has(name) && text.test(source)) found.set(name, path);
  }
  return [...found].map(([name, path]) => ({
    rule: 'SECOND_COPY',
    expected: `one ${name} in a page: that of the shell`,
    found: `another in ${path}`,
    remedy: `share ${name} as a singleton with \`import: false\`, in the builds for browsers and for Node`,
  }));
}
