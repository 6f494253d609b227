import { existsSync } from 'node:fs';
import { type Browser, remote } from 'webdriverio';

const binary = (variable: string, path: string) =>
  process.env[variable] || (existsSync(path) ? path : undefined);

/** A headless Chromium, for scripts without the test runner. */
export async function openBrowser(): Promise<Browser> {
  const chrome = binary('CHROME_BIN', '/usr/bin/chromium');
  const driver = binary('CHROMEDRIVER_PATH', '/usr/bin/chromedriver');
  const args = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--hide-scrollbars',
    '--force-device-scale-factor=1',
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
