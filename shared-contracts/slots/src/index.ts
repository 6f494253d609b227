export { afterPaint } from './afterPaint.ts';
export { defineSlot, type LoadContext, type PageHead, type SlotModule } from './defineSlot.ts';
export {
  SlotOutlet,
  useCloseOnBack,
  useEmit,
  useSlotEnvironment,
  type Call,
  type SlotEnvironment,
} from './environment.tsx';
export type { Register, SlotState } from './register.ts';
export { usePageState } from './usePageState.ts';
