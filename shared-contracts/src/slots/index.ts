export { defineSlot, isSlotModule, type LoadContext, type PageHead, type SlotModule } from './defineSlot.ts';
export {
  SlotOutlet,
  useCloseOnBack,
  useEmit,
  useSlotEnvironment,
  type Call,
  type SlotEnvironment,
} from './environment.tsx';
