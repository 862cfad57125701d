import { existsSync } from 'node:fs';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';

const PLACES = [process.env.CHROMIUM ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export type BrowserHandle = {
  /** A page, and what its console said that nobody wants to see: errors, warnings, exceptions, requests that failed. */
  open(url: string): Promise<{ readonly page: Page; readonly complaints: readonly string[] }>;
};

/** A browser, which who starts it closes; null where none is installed. CHROMIUM names another than Debian's. */
export async function startBrowser(): Promise<Browser | null> {
  const executablePath = PLACES.find((place) => place !== '' && existsSync(place));
  if (executablePath === undefined) return null;
  // As root, which CI is, there is no sandbox to be had, and in a container little shared memory.
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
  return puppeteer.launch({ executablePath, args, timeout: 120_000, protocolTimeout: 120_000 });
}

/** Gives the surrounding suite a browser. Where none is installed the suite is left out with a word; on CI that is a failure. */
export function useBrowser(): BrowserHandle {
  let browser: Browser | null = null;
  before(async function start() {
    browser = await startBrowser();
    if (browser !== null) return;
    if (process.env.CI === 'true') throw new Error('no chromium on CI');
    process.stdout.write('      left out: no chromium; name one in CHROMIUM\n');
    this.skip();
  });
  after(() => browser?.close());
  return {
    async open(url) {
      if (browser === null) throw new Error('the browser is up inside tests only');
      const page = await browser.newPage();
      page.setDefaultTimeout(120_000);
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warn') complaints.push(`${message.type()}: ${message.text()}`);
      });
      page.on('pageerror', (error) => complaints.push(`exception: ${error instanceof Error ? error.message : String(error)}`));
      page.on('requestfailed', (request) => complaints.push(`no answer: ${request.url()} ${request.failure()?.errorText ?? ''}`));
      await page.goto(url);
      return { page, complaints };
    },
  };
}
