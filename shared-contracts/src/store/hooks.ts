import { useSelector, type TypedUseSelectorHook } from 'react-redux';
import type { RootState } from './state.ts';

/** `useSelector` over the page's state. */
export const usePageState: TypedUseSelectorHook<RootState> = useSelector;
