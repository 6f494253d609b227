import { useEffect, useState } from 'react';

/** ms; on a busy page it is time after so long. */
const AT_THE_LATEST = 3_000;
/** ms; for browsers which do not say when they are idle. */
const WITHOUT_CALLBACK = 500;

/** False on the server and while the first view comes to life, then true. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const done = () => setIdle(true);
    if ('requestIdleCallback' in window) {
      const handle = requestIdleCallback(done, { timeout: AT_THE_LATEST });
      return () => cancelIdleCallback(handle);
    }
    const timer = setTimeout(done, WITHOUT_CALLBACK);
    return () => clearTimeout(timer);
  }, []);
  return isIdle;
}
