import type { Provides, Refusal } from '../gate.ts';
import type { ReleaseManifest } from '../manifest.ts';
import { findForeignStyles } from './foreignStyles.ts';
import { SHELL_OWNER, classTag } from './ownNames.ts';

/** Bytes of one style sheet; many times the largest real one. */
const MAX_BYTES = 500_000;
/** A global style sheet would fill the log. */
const MAX_REFUSALS = 10;

/** The file that a relative URL in a style sheet leads to; undefined outside of the release. */
function targetOf(sheet: string, url: string): string | undefined {
  const parts = sheet.split('/').slice(0, -1);
  for (const part of url.split('/'))
    if (part !== '..') {
      if (part !== '.') parts.push(part);
    } else if (parts.pop() === undefined) return undefined;
  return parts.join('/');
}

/** Every file that a page may use as a style sheet. */
const sheetsOf = ({ files, slots }: ReleaseManifest): string[] => [
  ...new Set([
    ...Object.values(slots).flatMap(({ styles, laterStyles = [] }) => [...styles, ...laterStyles]),
    ...Object.keys(files).filter((path) => /\.css$/i.test(path)),
  ]),
];

/** A remote whose classes end like another's could style its elements. Names are given by people, so this is rare. */
function* sharedTag({ name }: ReleaseManifest, provides: Provides): Generator<Refusal> {
  const owners = [SHELL_OWNER, ...Object.keys(provides.contracts), ...Object.keys(provides.remotes)];
  const other = owners.find((owner) => owner !== name && classTag(owner) === classTag(name));
  if (other === undefined) return;
  yield {
    rule: 'STYLE_NOT_OWN',
    expected: `a remote whose classes end differently from those of ${other}`,
    found: `${name}, whose classes end with ${classTag(name)}, too`,
    remedy: 'give the remote another name',
  };
}

/**
 * Whether the style sheets of a release could affect anything outside of its own slots. `read` returns the content of
 * a file, or undefined for one that other rules report. `provides` is absent where no shell is known.
 */
export function checkStyles(
  manifest: ReleaseManifest,
  read: (path: string) => Buffer | undefined,
  provides?: Provides,
): Refusal[] {
  const refusals = provides ? [...sharedTag(manifest, provides)] : [];
  for (const path of sheetsOf(manifest)) {
    const bytes = read(path);
    if (!bytes) continue;
    const found =
      bytes.length > MAX_BYTES
        ? [
            {
              expected: `style sheets of at most ${MAX_BYTES} bytes`,
              found: `${bytes.length}`,
              remedy: 'split it by slots',
            },
          ]
        : findForeignStyles(bytes.toString('utf8'), {
            remote: manifest.name,
            hasFile: (url) => Object.hasOwn(manifest.files, targetOf(path, url) ?? ''),
          });
    for (const style of found) {
      if (refusals.length === MAX_REFUSALS) return refusals;
      refusals.push({ rule: 'STYLE_NOT_OWN', ...style, found: `${style.found} in ${path}` });
    }
  }
  return refusals;
}
