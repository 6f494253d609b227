import { createRoot } from 'react-dom/client';
import type { StartedPage } from '../../../browser/startPage.ts';
import { type TesterBoot, DEVTOOLS_COOKIE, withoutDevtools } from '../both/testerBoot.ts';
import { Panel } from './Panel.tsx';
import { createRecorder } from './recorder.ts';
import { panelStyles } from './styles.ts';

/** While the cookie is set, further pages in this browser open the devtools too. */
const rememberOpen = (isOpen: boolean) => {
  document.cookie = `${DEVTOOLS_COOKIE}=${isOpen ? '1' : ''}; path=/; SameSite=Lax${isOpen ? '' : '; Max-Age=0'}`;
};

/**
 * Docks the devtools over the page, in a shadow root that isolates their styles.
 * The returned function closes them.
 */
export function openDevtools({ store, bus, tester }: StartedPage & { tester: TesterBoot }): () => void {
  const element = document.createElement('div');
  element.id = 'fc-devtools';
  const shadow = element.attachShadow({ mode: 'open' });
  // A style element would need a nonce for the page's Content Security Policy.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(panelStyles);
  shadow.adoptedStyleSheets = [sheet];
  const recorder = createRecorder(bus, () => performance.now());
  const root = createRoot(shadow);
  const { pathname, search, hash } = window.location;
  const url = pathname + search;
  if (withoutDevtools(url) !== url)
    window.history.replaceState(window.history.state, '', withoutDevtools(url) + hash);
  rememberOpen(true);

  function close(): void {
    rememberOpen(false);
    recorder.stop();
    root.unmount();
    element.remove();
  }
  document.body.append(element);
  root.render(<Panel store={store} recorder={recorder} tester={tester} onClose={close} />);
  return close;
}
