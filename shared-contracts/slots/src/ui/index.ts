export { Button, buttonClass } from './primitives.tsx';
export { Dialog } from './Dialog.tsx';
export { Icon, iconClass } from './primitives.tsx';
export { Skeleton } from './primitives.tsx';
export { Toast, type ToastContent } from './Toast.tsx';
export { VisuallyHidden } from './primitives.tsx';
export { isPlainClick } from './isPlainClick.ts';
export { SMALL_SCREEN_BELOW } from './screen.ts';
