import { openSync, readdirSync, readFileSync } from 'node:fs';

/** `O_CLOEXEC` of Linux, as `/proc` shows it. */
const CLOSE_ON_EXEC = 0o2000000;

function isKeptOnExec(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1];
    return flags !== undefined && (parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // It was closed meanwhile: reading the folder opened one.
    return false;
  }
}

/**
 * Descriptors that this process inherited, e.g. a secret by `<(vault …)`, and that a child would inherit from it. Node opens
 * its own to be closed on exec, and marks only the first inherited ones so. Empty where there is no `/proc`.
 */
function inheritedDescriptors(): number[] {
  let names: string[];
  try {
    names = readdirSync('/proc/self/fd');
  } catch {
    return [];
  }
  return names.map(Number).filter((descriptor) => descriptor > 2 && isKeptOnExec(descriptor));
}

type Stdio = 'ignore' | 'pipe' | number;

/**
 * The `stdio` of children that get these descriptors and no other open one: inherited descriptors lead to `/dev/null`, which
 * stays open for them. Made once and for all children, because what is inherited is there from the start.
 */
export function withoutInherited(stdio: readonly ('ignore' | 'pipe')[]): Stdio[] {
  const all: Stdio[] = [...stdio];
  const others = inheritedDescriptors().filter((descriptor) => descriptor >= stdio.length);
  if (others.length === 0) return all;
  const nothing = openSync('/dev/null', 'r');
  for (const descriptor of others) {
    while (all.length <= descriptor) all.push('ignore');
    all[descriptor] = nothing;
  }
  return all;
}
