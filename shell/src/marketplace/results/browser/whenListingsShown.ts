/** Runs when the grid shows the store's listings, which it renders in slices. */
export function whenListingsShown(run: () => void): void {
  const isBusy = document.querySelector('#listings[aria-busy="true"]') !== null;
  if (isBusy) requestAnimationFrame(() => whenListingsShown(run));
  else run();
}
