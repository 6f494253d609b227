import { useEffect } from 'react';
import { useEmit } from '@forecourt/slots';

/** Reports that `by` covers the bottom `height` px of the viewport while mounted. */
export function useBottomEdge(by: string, height: number): void {
  const emit = useEmit();
  useEffect(() => {
    if (height === 0) return undefined;
    emit('page.bottomCovered', { by, height });
    return () => emit('page.bottomCovered', { by, height: 0 });
  }, [emit, by, height]);
}
