import { useEffect, useRef, useState } from 'react';

/** What the address names behind its '#'; undefined when that is no text, as in '#%'. */
function keyOfHash(): string | undefined {
  try {
    return decodeURIComponent(window.location.hash.slice(1));
  } catch {
    return undefined;
  }
}

/**
 * The chosen tab, which the address names behind its '#': such a link leads to
 * the tab, and a choice can be kept as a link. `keys` are the tabs there are,
 * the first is chosen when the address names none of them.
 */
export function useSelectedTab(
  keys: readonly string[],
  onLink: () => void,
): readonly [string | undefined, (key: string) => void] {
  const [chosen, choose] = useState<string>();
  const link = useRef({ keys, onLink });
  useEffect(() => {
    link.current = { keys, onLink };
  });
  useEffect(() => {
    const follow = () => {
      const key = keyOfHash();
      if (key === undefined || !link.current.keys.includes(key)) return;
      choose(key);
      link.current.onLink();
    };
    follow();
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  const select = (key: string) => {
    choose(key);
    // The entry keeps the state that the shell gave it: only its fragment changes.
    window.history.replaceState(window.history.state, '', `#${encodeURIComponent(key)}`);
  };
  return [chosen !== undefined && keys.includes(chosen) ? chosen : keys[0], select];
}
