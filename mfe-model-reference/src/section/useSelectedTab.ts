import { useEffect, useRef, useState } from 'react';

/** The URL's fragment; undefined if it can't be decoded, as in '#%'. */
function keyOfHash(): string | undefined {
  try {
    return decodeURIComponent(window.location.hash.slice(1));
  } catch {
    return undefined;
  }
}

/**
 * The selected tab, mirrored in the URL's fragment so that it can be linked to. The first of `keys` is selected if the
 * fragment matches none. Calls `onLink` when the fragment selects a tab.
 */
export function useSelectedTab(
  keys: readonly string[],
  onLink: () => void,
): readonly [string | undefined, (key: string) => void] {
  const [selectedKey, setSelectedKey] = useState<string>();
  const link = useRef({ keys, onLink });
  useEffect(() => {
    link.current = { keys, onLink };
  });
  useEffect(() => {
    const follow = () => {
      const key = keyOfHash();
      if (key === undefined || !link.current.keys.includes(key)) return;
      setSelectedKey(key);
      link.current.onLink();
    };
    follow();
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  const select = (key: string) => {
    setSelectedKey(key);
    // Keep the shell's history state: only the fragment changes.
    window.history.replaceState(window.history.state, '', `#${encodeURIComponent(key)}`);
  };
  return [selectedKey !== undefined && keys.includes(selectedKey) ? selectedKey : keys[0], select];
}
