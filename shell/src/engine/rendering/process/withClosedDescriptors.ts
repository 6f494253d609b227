import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';

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

type Stdio = readonly ('ignore' | 'pipe')[];

/**
 * Starts a child that gets the descriptors of `stdio` and no other open one: inherited descriptors lead to `/dev/null`
 * there.
 */
export function withClosedDescriptors<T>(
  stdio: Stdio,
  start: (stdio: ('ignore' | 'pipe' | number)[]) => T,
): T {
  const all: ('ignore' | 'pipe' | number)[] = [...stdio];
  const others = inheritedDescriptors().filter((descriptor) => descriptor >= stdio.length);
  if (others.length === 0) return start(all);
  const nothing = openSync('/dev/null', 'r');
  try {
    for (const descriptor of others) {
      while (all.length <= descriptor) all.push('ignore');
      all[descriptor] = nothing;
    }
    return start(all);
  } finally {
    closeSync(nothing);
  }
}
