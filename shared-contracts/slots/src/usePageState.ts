import { useSelector, type TypedUseSelectorHook } from 'react-redux';
import type { SlotState } from './register.ts';

/** Selects from the page's state, and renders again when the selected value changes. */
export const usePageState: TypedUseSelectorHook<SlotState> = useSelector;
