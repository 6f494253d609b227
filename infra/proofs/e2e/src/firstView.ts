/** What a shopper sees on arrival, measured on the running page. */
export interface FirstView {
  /** px above the first card. */
  readonly aboveFirstCard: number;
  /** px from the top of the page to the end of the first price. */
  readonly firstPrice: number;
  /** px of the first card. */
  readonly cardHeight: number;
  /** The most text styles (size and weight) of one card. */
  readonly textStyles: number;
  /** The most buttons with words of one card. */
  readonly mainButtons: number;
  /** Controls in the window that a floating part covers, at the top of the page and two windows below. */
  readonly covered: number;
  /** Repeated counts of matches and chips. */
  readonly twins: number;
  /** Elements of one card, on average. */
  readonly elements: number;
}

/** Runs in the page; scrolls it. */
export async function measureFirstView(): Promise<FirstView> {
  const isSeen = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    element.getBoundingClientRect().width > 1 &&
    element.getBoundingClientRect().height > 1;
  const cards = [...document.querySelectorAll<HTMLElement>('[data-tile] article')].slice(0, 12);
  const [first] = cards;
  if (!first) throw new Error('no card');
  const textsOf = (root: Element): Element[] => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const parents: Element[] = [];
    while (walker.nextNode())
      if (walker.currentNode.textContent?.trim()) parents.push(walker.currentNode.parentElement!);
    return parents.filter((parent) => isSeen(parent) && getComputedStyle(parent).fontSize !== '0px');
  };
  const stylesOf = (card: Element) =>
    new Set(
      textsOf(card).map((element) => {
        const { fontSize, fontWeight } = getComputedStyle(element);
        return `${fontSize} ${fontWeight}`;
      }),
    ).size;
  const isButton = (element: HTMLElement) => {
    const { backgroundColor, borderTopWidth, borderTopColor, fontSize } = getComputedStyle(element);
    const clear = 'rgba(0, 0, 0, 0)';
    const isBoxed = backgroundColor !== clear || (borderTopWidth !== '0px' && borderTopColor !== clear);
    return isSeen(element) && isBoxed && fontSize !== '0px' && element.innerText.trim() !== '';
  };
  const buttonsOf = (card: Element) =>
    [...card.querySelectorAll<HTMLElement>('button, a, span[aria-hidden]')].filter(
      (element) => isButton(element) && element.getBoundingClientRect().height >= 40,
    ).length;
  const most = (measure: (card: Element) => number) => Math.max(...cards.map(measure));
  const average = (measure: (card: Element) => number) =>
    Math.round(cards.reduce((sum, card) => sum + measure(card), 0) / cards.length);

  const isFloating = (element: Element | null): boolean => {
    for (let at = element; at; at = at.parentElement)
      if (getComputedStyle(at).position === 'fixed') return true;
    return false;
  };
  const countCovered = () =>
    [...document.querySelectorAll('a[href], button, input, select, summary')].filter((control) => {
      if (!isSeen(control) || isFloating(control)) return false;
      const { left, top, width, height } = control.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      if (x < 0 || y < 0 || x >= window.innerWidth || y >= window.innerHeight) return false;
      const front = document.elementFromPoint(x, y);
      return front !== null && !control.contains(front) && !front.contains(control) && isFloating(front);
    }).length;

  const countTwins = () => {
    const counts = textsOf(document.body).filter((element) =>
      /^[\d,]+ match(es)?$/i.test(element.textContent?.trim() ?? ''),
    ).length;
    const chips = [...document.querySelectorAll('a')]
      .filter((link) => isSeen(link) && link.textContent?.startsWith('Remove '))
      .map(({ textContent }) => textContent);
    return Math.max(0, counts - 1) + chips.length - new Set(chips).size;
  };

  window.scrollTo(0, 0);
  const nextFrame = () => new Promise((resolve) => setTimeout(resolve, 300));
  await nextFrame();
  const [box, price] = [first, first.querySelector('strong')!].map((element) =>
    element.getBoundingClientRect(),
  ) as [DOMRect, DOMRect];
  const measured = {
    aboveFirstCard: Math.round(box.top),
    firstPrice: Math.round(price.bottom),
    cardHeight: Math.round(box.height),
    textStyles: most(stylesOf),
    mainButtons: most(buttonsOf),
    twins: countTwins(),
    elements: average((card) => card.querySelectorAll('*').length + 1),
  };
  const atTop = countCovered();
  window.scrollTo(0, 2 * window.innerHeight);
  await nextFrame();
  const covered = atTop + countCovered();
  window.scrollTo(0, 0);
  return { ...measured, covered };
}
