export { Button, buttonClass } from './Button.tsx';
export { Dialog } from './Dialog.tsx';
export { Icon, iconClass } from './Icon.tsx';
export { Skeleton } from './Skeleton.tsx';
export { Toast, type ToastContent } from './Toast.tsx';
export { VisuallyHidden } from './VisuallyHidden.tsx';
export { isPlainClick } from './isPlainClick.ts';
export { SMALL_SCREEN_BELOW } from './screen.ts';
