import { useEffect } from 'react';
import { useEmit } from '@forecourt/shared-contracts/slots';

/** Tells the page that `by` covers so many px of the viewport's bottom edge while it is mounted. */
export function useBottomEdge(by: string, height: number): void {
  const emit = useEmit();
  useEffect(() => {
    if (height === 0) return undefined;
    emit('page.bottomCovered', { by, height });
    return () => emit('page.bottomCovered', { by, height: 0 });
  }, [emit, by, height]);
}

/**
 * Lets the page be scrolled on by `height` px, so that what stands at its end,
 * or has the focus, is not hidden below the bottom edge. It is room behind
 * everything else: nothing moves.
 */
export function useScrollRoom(height: number): void {
  useEffect(() => {
    const { body, documentElement } = document;
    if (height === 0) return undefined;
    body.style.paddingBlockEnd = `${height}px`;
    documentElement.style.scrollPaddingBlockEnd = `${height}px`;
    return () => {
      body.style.paddingBlockEnd = '';
      documentElement.style.scrollPaddingBlockEnd = '';
    };
  }, [height]);
}
