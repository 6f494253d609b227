/** Shows a short message at the edge of the page, with at most one thing to do about it. */
export interface Toasts {
  readonly show: (message: string, action?: { readonly label: string; readonly onUse: () => void }) => void;
}
