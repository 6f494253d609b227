export { defineSlot, isSlotModule, type SlotModule } from './defineSlot.ts';
export {
  SlotOutlet,
  useCloseOnBack,
  useEmit,
  useSlotEnvironment,
  type Call,
  type SlotEnvironment,
} from './environment.tsx';
