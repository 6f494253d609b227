export * from './Button.tsx';
export * from './Dialog.tsx';
export * from './Icon.tsx';
export * from './Skeleton.tsx';
export * from './Tabs.tsx';
export * from './Toast.tsx';
export * from './VisuallyHidden.tsx';
export * from '../rules/money.ts';
