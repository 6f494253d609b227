export * from './defineSlot.ts';
export * from './environment.tsx';
export * from './SlotRoot.tsx';
