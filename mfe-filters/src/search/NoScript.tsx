import { type ReactNode, createContext, useContext } from 'react';

const NoScriptContext = createContext(false);

/** True inside `NoScript`. Controls that need JavaScript render nothing there. */
export const useIsNoScript = (): boolean => useContext(NoScriptContext);

/**
 * Content for browsers without JavaScript. With JavaScript it costs no elements and no hydration. Nested uses render
 * their children directly, because `noscript` elements can't be nested.
 */
export function NoScript({ children }: { children: ReactNode }): ReactNode {
  const isInside = useIsNoScript();
  if (isInside) return children;
  return (
    <noscript>
      <NoScriptContext value={true}>{children}</NoScriptContext>
    </noscript>
  );
}
