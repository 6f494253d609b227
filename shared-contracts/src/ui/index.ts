export { Button, buttonClass } from './Button.tsx';
export { Dialog } from './Dialog.tsx';
export { Icon } from './Icon.tsx';
export { Skeleton } from './Skeleton.tsx';
export { Toast, type ToastContent } from './Toast.tsx';
export { VisuallyHidden } from './VisuallyHidden.tsx';
