import type { ContainerFault } from './container/containerError.ts';
import type { Refusal } from './gate.ts';

const REMEDY = 'run its scenarios (`npm run dev -- REMOTE`), and build again';

/** Why a release is refused whose server or browser side did not load. */
export function loadRefusal(
  half: 'server' | 'browser',
  fault: ContainerFault | undefined,
  found: string,
): Refusal {
  if (fault === 'SHARE_SCOPE')
    return {
      rule: 'SHARE_SCOPE',
      expected: 'a container that takes shared modules from the share scope `default`',
      found,
      remedy:
        'leave `shareScope` of the federation plugin at its default, and share what the slots contract lists',
    };
  if (half === 'server')
    return {
      rule: 'MODULE_LOAD',
      expected: 'a container whose modules run and are slots',
      found,
      remedy: REMEDY,
    };
  if (fault === 'ENTRY')
    return {
      rule: 'BROWSER_ENTRY',
      expected: 'an entry that runs as a classic script and sets its container as a global variable',
      found,
      remedy:
        'pack the build with `npx forecourt pack`, which also gives an ES module an entry that is a script',
    };
  return {
    rule: 'BROWSER_LOAD',
    expected: 'modules that also load in a page, without `eval`, and are slots',
    found,
    remedy: REMEDY,
  };
}
