import { createContext, useContext, type ReactNode } from 'react';

const NoScriptContext = createContext(false);

/** Is this rendered for those without scripting alone? Controls that need it are left out then. */
export const useIsNoScript = (): boolean => useContext(NoScriptContext);

/**
 * Content for pages without scripting: in the server's HTML, but with
 * scripting neither elements nor hydration. Inside of another one it is plain
 * content, since `noscript` cannot be nested.
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
