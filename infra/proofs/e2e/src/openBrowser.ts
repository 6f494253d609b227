import { existsSync } from 'node:fs';
import { type Browser, remote } from 'webdriverio';

const binary = (variable: string, path: string) =>
  process.env[variable] || (existsSync(path) ? path : undefined);

/** A headless Chromium beside that of the test runner, with `more` command-line options. */
export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  const chrome = binary('CHROME_BIN', '/usr/bin/chromium');
  const driver = binary('CHROMEDRIVER_PATH', '/usr/bin/chromedriver');
  const args = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--hide-scrollbars',
    '--force-device-scale-factor=1',
    ...more,
  ];
  return remote({
    logLevel: 'error',
    capabilities: {
      browserName: 'chrome',
      webSocketUrl: true,
      ...(driver ? { 'wdio:chromedriverOptions': { binary: driver } } : {}),
      'goog:chromeOptions': { ...(chrome ? { binary: chrome } : {}), args },
    },
  });
}
