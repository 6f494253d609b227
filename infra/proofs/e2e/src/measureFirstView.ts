import { FORDS_NEAR_CHICAGO } from '@forecourt/harness/serverHtml';
import { markdownTable } from '@forecourt/harness/markdown';
import { type FirstView, measureFirstView } from './firstView.ts';
import { openBrowser } from './openBrowser.ts';

// `npm run measure -w @forecourt/e2e [-- ORIGIN]` prints what the first view of a running page shows, by width.
const [origin = 'http://localhost:3000'] = process.argv.slice(2);

/** px; heights of common screens. */
const SCREENS = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
] as const;

const LABELS: Readonly<Record<keyof FirstView, string>> = {
  aboveFirstCard: 'Above the first card, px',
  firstPrice: 'First price ends at, px',
  cardHeight: 'Card, px',
  textStyles: 'Text styles of a card',
  mainButtons: 'Main buttons of a card',
  covered: 'Controls under floating parts',
  twins: 'Repeated counts and chips',
  elements: 'Elements of a card',
};

const browser = await openBrowser();
try {
  const views: FirstView[] = [];
  for (const { width, height } of SCREENS) {
    await browser.setViewport({ width, height });
    await browser.url(`${origin}${FORDS_NEAR_CHICAGO}&maxPrice=40000`);
    await browser.waitUntil(
      () => browser.execute(() => performance.getEntriesByName('slot:leads:hydrated').length > 0),
      { timeout: 15_000 },
    );
    views.push(await browser.execute(measureFirstView));
  }
  const rows = Object.entries(LABELS).map(([name, label]) => [
    label,
    ...views.map((view) => String(view[name as keyof FirstView])),
  ]);
  const head = ['', ...SCREENS.map(({ width, height }) => `${width}×${height}`)];
  process.stdout.write(`${markdownTable(head, rows)}\n`);
} finally {
  await browser.deleteSession();
}
