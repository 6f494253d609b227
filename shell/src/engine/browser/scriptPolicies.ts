import type { BootRemote } from '../universal/bootData.ts';
import { RELEASE_FILES, SHELL_FILES } from '../universal/paths.ts';

interface ScriptPolicy {
  createScriptURL(url: string): string;
}
interface Rules {
  readonly createScriptURL?: (url: string) => string;
}
interface PolicyFactory {
  createPolicy(name: string, rules: Rules): ScriptPolicy;
}

/** Which scripts each policy of a page may load. */
function* policiesOf(
  remotes: readonly Pick<BootRemote, 'name' | 'entry'>[],
): Generator<readonly [name: string, allows: (url: URL) => boolean]> {
  const isBelow = (path: string) => (url: URL) =>
    url.origin === location.origin && url.pathname.startsWith(path);
  yield ['shell#webpack', isBelow(`${SHELL_FILES}/`)];
  for (const { name, entry } of remotes) {
    const { pathname } = new URL('.', new URL(entry, document.baseURI));
    yield [`${name}#webpack`, isBelow(pathname)];
    // Scripts of the site that are in no release.
    yield [`${name}#scripts`, (url) => isBelow('/')(url) && !isBelow(`${RELEASE_FILES}/`)(url)];
  }
}

/**
 * Creates the Trusted Types policies of all remotes before any of their code runs, each limited to that remote's own
 * scripts, and hands them over by name. No remote can take another's name first, and with another's name it gets no more
 * than that remote's scripts. Its own rules apply, too.
 */
export function holdScriptPolicies(remotes: readonly Pick<BootRemote, 'name' | 'entry'>[]): void {
  const { trustedTypes } = window as { trustedTypes?: PolicyFactory };
  if (!trustedTypes) return;
  const create = trustedTypes.createPolicy.bind(trustedTypes);
  const held = new Map<string, ScriptPolicy>();
  for (const [name, allows] of policiesOf(remotes))
    held.set(
      name,
      create(name, {
        createScriptURL(url) {
          if (!allows(new URL(url, document.baseURI))) throw new TypeError(`${url} is no script of ${name}`);
          return url;
        },
      }),
    );
  const createPolicy = (name: string, rules: Rules): ScriptPolicy => {
    const policy = held.get(name);
    if (!policy) return create(name, rules);
    return {
      createScriptURL(url) {
        if (!rules.createScriptURL) throw new TypeError(`${name} has no rule for scripts`);
        return policy.createScriptURL(rules.createScriptURL(url));
      },
    };
  };
  Object.defineProperty(trustedTypes, 'createPolicy', { value: createPolicy });
}
