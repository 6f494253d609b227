import { useEffect } from 'react';

/**
 * Adds `height` px of scroll space, so that the bottom edge never hides the end of the page. The space comes
 * after all content, so nothing shifts.
 */
export function useScrollRoom(height: number): void {
  useEffect(() => {
    const { body } = document;
    if (height === 0) return undefined;
    body.style.paddingBlockEnd = `${height}px`;
    return () => {
      body.style.paddingBlockEnd = '';
    };
  }, [height]);
}
