import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Page } from 'puppeteer-core';
import { useBraid } from '../support/braid.ts';
import { useBrowser } from '../support/browser.ts';
import { ROOT } from '../support/source-files.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);

/** Executes an operation with the examples that the page fills in. Returns what was sent, and the answer's status and body as shown. */
async function execute(page: Page, operation: string) {
  const block = `[id^="operations-"][id$="-${operation}"]`;
  await (await page.waitForSelector(`${block} .opblock-summary-control`))?.click();
  await (await page.waitForSelector(`${block} .try-out__btn`))?.click();
  await (await page.waitForSelector(`${block} .execute`))?.click();
  await page.waitForSelector(`${block} .live-responses-table .response-col_status`);
  return page.$eval(block, (element) => ({
    url: element.querySelector('.request-url pre')?.textContent ?? '',
    status: Number.parseInt(element.querySelector('.live-responses-table tbody .response-col_status')?.textContent ?? '', 10),
    body: element.querySelector('.live-responses-table tbody .highlight-code code')?.textContent ?? '',
  }));
}

describe('the documentation page in a browser', function suite() {
  this.timeout(300_000);
  const braid = useBraid();
  const browser = useBrowser();
  const folder = useTemporaryFolder();
  let server: Server | undefined;
  afterEach(() => server?.close());

  async function executes(url: string, operations: readonly string[]) {
    const { publicUrl } = braid.current();
    const { page, complaints } = await browser.open(url);
    for (const operation of operations) {
      const { url: asked, status, body } = await execute(page, operation);
      expect(asked).to.match(new RegExp(`^${publicUrl}/`));
      expect(status, `${operation} ${body}`).to.equal(200);
      expect(body, operation).to.include(operation === 'healthz' ? '"ok"' : '31337');
    }
    expect(await page.$$eval('.errors-wrapper', (errors) => errors.map((error) => error.textContent))).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
    await page.close();
  }

  it('/docs shows every operation, and executes each against the public port without a complaint', async () => {
    await executes(`${braid.current().internalUrl}/docs`, ['quote', 'swap', 'sources', 'healthz']);
  });

  it('the form to host is one file that asks nobody else for anything, and executes too', async () => {
    const document = path.join(folder.current(), 'openapi.json');
    writeFileSync(document, await (await fetch(`${braid.current().internalUrl}/openapi.json`)).text());
    await run(process.execPath, ['--import', './scripts/typescript.mjs', 'scripts/static-docs.ts', '--document', document, '--out', folder.current()], {
      cwd: ROOT,
    });
    const page = readFileSync(path.join(folder.current(), 'index.html'));
    const asked: string[] = [];
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    await executes(`http://127.0.0.1:${(server.address() as { port: number }).port}/braid/`, ['quote']);
    expect(asked).to.deep.equal(['/braid/']);
  });
});
