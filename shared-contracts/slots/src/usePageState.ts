import { useSelector, type UseSelector } from 'react-redux';
import type { SlotState } from './register.ts';

/**
 * Selects from the page's state, and renders again when the selected value changes.
 *
 * @example
 * ```tsx
 * import { defineSlot, usePageState } from '@forecourt/slots';
 *
 * function Genre() {
 *   const genre = usePageState(({ shelf }) => shelf.genre);
 *   return <h2>{genre}</h2>;
 * }
 * export default defineSlot({ reads: ['shelf.genre'], view: Genre });
 * // renders: novels
 * ```
 */
export const usePageState: UseSelector<SlotState> = useSelector.withTypes<SlotState>();
