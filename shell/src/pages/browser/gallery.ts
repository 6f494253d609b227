/** The picture whose middle is nearest to the middle of the stage; 0 for the first. */
function shownPicture(stage: HTMLElement): number {
  const width = stage.clientWidth || 1;
  return Math.round(stage.scrollLeft / width);
}

/**
 * Brings a gallery to life: buttons, thumbnails and keys move it, its marks
 * follow it however it is moved. Without a script it scrolls and its
 * thumbnails jump, as they are.
 */
export function enhanceGallery(gallery: HTMLElement): void {
  const stage = gallery.querySelector<HTMLElement>('.fp-gallery-pictures');
  if (!stage) return;
  const total = stage.children.length;
  const thumbs = [...gallery.querySelectorAll<HTMLAnchorElement>('.fp-gallery-thumbs a')];
  const steps = [...gallery.querySelectorAll<HTMLButtonElement>('[data-step]')];
  const counter = gallery.querySelector<HTMLElement>('[data-picture]');
  let shown = 0;
  // Where a scroll that a button, thumbnail or key began is to end. Chromium lets
  // one that begins while another is under way rest some pixels beside its end
  // (scroll snapping does not mend it): such a one jumps, and is set right when it ends.
  let goal: number | undefined;

  const scrollTo = (at: number, behavior: ScrollBehavior) =>
    stage.scrollTo({ left: at * stage.clientWidth, behavior });
  const mark = (at: number) => {
    shown = at;
    if (counter) counter.textContent = String(at + 1);
    for (const [index, thumb] of thumbs.entries()) {
      if (index === at) thumb.setAttribute('aria-current', 'true');
      else thumb.removeAttribute('aria-current');
    }
    for (const button of steps)
      button.disabled = Number(button.dataset['step']) < 0 ? at === 0 : at === total - 1;
  };
  const show = (at: number) => {
    const wanted = Math.min(total - 1, Math.max(0, at));
    if (wanted === shown && goal === undefined) return;
    const jumps = goal !== undefined || window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    goal = wanted;
    scrollTo(wanted, jumps ? 'instant' : 'smooth');
    mark(wanted);
  };

  for (const [index, thumb] of thumbs.entries())
    thumb.addEventListener('click', (event) => {
      event.preventDefault();
      show(index);
    });
  for (const button of steps)
    button.addEventListener('click', () => show(shown + Number(button.dataset['step'])));
  stage.addEventListener('keydown', (event) => {
    const target = { ArrowRight: shown + 1, ArrowLeft: shown - 1, Home: 0, End: total - 1 }[event.key];
    if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    show(target);
  });
  for (const byHand of ['pointerdown', 'wheel'])
    stage.addEventListener(byHand, () => (goal = undefined), { passive: true });
  stage.addEventListener('scrollend', () => {
    if (goal !== undefined) scrollTo(goal, 'instant');
    goal = undefined;
    mark(shownPicture(stage));
  });
  mark(shownPicture(stage));
}
