import { spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '@forecourt/local';
import { remote } from 'webdriverio';

/** Debian's packages `webkit2gtk-driver` and `xvfb`: WebKitGTK, the engine of Safari, has no mode without a display. */
const DRIVER = '/usr/bin/WebKitWebDriver';
const DISPLAY = '/usr/bin/xvfb-run';
const MINI_BROWSER = '/usr/lib/*/webkit2gtk-4.*/MiniBrowser';
/** ms in which the driver listens and in which it ends. */
const DRIVER_MS = 30_000;

export const hasWebKit = (): boolean => existsSync(DRIVER) && existsSync(DISPLAY);

async function untilReady(port: number): Promise<void> {
  const deadline = performance.now() + DRIVER_MS;
  for (;;) {
    const isReady = await fetch(`http://127.0.0.1:${port}/status`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    if (performance.now() > deadline) throw new Error(`WebKitWebDriver does not answer on port ${port}`);
    await wait(100);
  }
}

/** Opens a window of WebKit without cache, cookies or storage. */
export async function inWebKit(use: (webKit: WebdriverIO.Browser) => Promise<void>): Promise<void> {
  const port = await freePort();
  // A group of its own: the display, the driver and the browser end together.
  const driver = spawn(DISPLAY, ['-a', '-s', '-screen 0 1920x1200x24', DRIVER, `--port=${port}`], {
    detached: true,
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => driver.once('exit', resolve));
  try {
    await untilReady(port);
    const webKit = await remote({
      hostname: '127.0.0.1',
      port,
      logLevel: 'error',
      waitforTimeout: DRIVER_MS,
      capabilities: {
        browserName: 'MiniBrowser',
        'wdio:enforceWebDriverClassic': true,
        'webkitgtk:browserOptions': { binary: globSync(MINI_BROWSER)[0], args: ['--automation'] },
      } as WebdriverIO.Capabilities,
    });
    try {
      await use(webKit);
    } finally {
      await webKit.deleteSession();
    }
  } finally {
    process.kill(-driver.pid!, 'SIGTERM');
    await Promise.race([ended, wait(DRIVER_MS)]);
  }
}
