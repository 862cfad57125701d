import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { createRedactor, loadConfig } from '../../src/config/config.ts';
import { runDeploy } from '../../src/deployment/deployment.ts';
import { useDevnet } from '../support/devnet.ts';
import { ROOT } from '../support/source-files.ts';
import { until } from '../support/until.ts';

/** In the path, the query, the user and the password of URLs, and of another one the whole. No part of one is in another, nor in anything that the service says. */
const SECRETS = { path: 'pAth5ecret0123456789', query: 'qu3ryS3cret', user: 'us3rN4me', password: 'pa55"w0rd/x', file: 'f1leS3cretOfTheSecond' } as const;
const START_MS = 300_000;

type Mood = 'honest' | 'refuses' | 'barred' | 'garbage' | 'reverts';

/** A provider that repeats whatever it was given in every answer that is not what was asked for. */
function startProvider(target: () => string): { readonly server: Server; mood: Mood; readonly port: () => number } {
  const provider = {
    mood: 'honest' as Mood,
    port: () => (server.address() as AddressInfo).port,
    server: createServer(
      (request, response) =>
        void answer(request).then(
          ([status, body]) => response.writeHead(status, { 'content-type': 'application/json' }).end(body),
          () => response.destroy(),
        ),
    ),
  };
  const { server } = provider;
  async function answer(request: IncomingMessage): Promise<[number, string]> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const { id, method } = JSON.parse(body) as { readonly id: number; readonly method: string };
    const given = `${request.url} ${request.headers.authorization} ${Object.values(SECRETS).join(' ')} http://${SECRETS.user}:x@h/${SECRETS.path}?token=${SECRETS.query}`;
    const error = (code: number, message: string) => JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
    switch (provider.mood) {
      case 'refuses':
        return [200, error(-32_603, `internal error for ${given}`)];
      case 'barred':
        return [401, error(-32_000, `invalid api key: ${given}`)];
      case 'garbage':
        return [200, given];
      case 'reverts':
        if (method === 'eth_call') return [200, error(3, `execution reverted: ${given}`)];
        break;
      case 'honest':
        break;
      default:
        throw new TypeError(provider.mood satisfies never);
    }
    const forwarded = await fetch(target(), { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return [200, await forwarded.text()];
  }
  return provider;
}

describe('keys of node providers', function suite() {
  this.timeout(2 * START_MS);
  const chain = useDevnet({ bots: false });
  let provider: ReturnType<typeof startProvider>;
  let folder: string;

  before(async () => {
    provider = startProvider(() => chain.current().rpcUrl);
    await new Promise<void>((resolve) => provider.server.listen(0, '127.0.0.1', resolve));
    folder = mkdtempSync(path.join(os.tmpdir(), 'braid-secrets-'));
  });
  after(async () => {
    provider.server.closeAllConnections();
    await new Promise((resolve) => provider.server.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  const environment = () => ({
    PATH: process.env.PATH ?? '',
    PROVIDER_KEY: SECRETS.path,
    PROVIDER_TOKEN: SECRETS.query,
    PROVIDER_USER: `${SECRETS.user}:${encodeURIComponent(SECRETS.password)}`,
  });

  function configuration(): string {
    const { wrappedNative, deployments, router, allowanceHolder, feeCollector, prices, tokens } = chain.current();
    const [host, file] = [`127.0.0.1:${provider.port()}`, path.join(folder, 'braid.jsonc')];
    writeFileSync(path.join(folder, 'second'), `http://${host}/${SECRETS.file}\n`);
    const rpcUrls = [`http://\${PROVIDER_USER}@${host}/v2/\${PROVIDER_KEY}?token=\${PROVIDER_TOKEN}`, `\${file:second}`];
    const listed = deployments.map(({ venue, family, factory }) => ({ venue, family, factory }));
    const entry = {
      chain: 'devnet',
      rpcUrls,
      wrappedNative,
      deployments: listed,
      router,
      allowanceHolder,
      prices,
      wellKnownTokens: tokens.map(({ address }) => address),
    };
    writeFileSync(file, `// of the test\n${JSON.stringify({ feeCollector, checkpointDirectory: 'kept', chains: [entry] })}`);
    return file;
  }

  function holdsNone(text: string, where: string): void {
    for (const [kind, secret] of Object.entries(SECRETS)) {
      for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), Buffer.from(secret).toString('base64').slice(0, -4)]) {
        const at = text.indexOf(form);
        expect(at, `${where} has the ${kind}: ${text.slice(Math.max(0, at - 200), at + 60)}`).to.equal(-1);
      }
    }
  }

  it('are in no line, answer, metric or file of the service, whatever the provider says; without them it does not start, and says what is missing', async () => {
    const file = configuration();
    provider.mood = 'refuses';
    const child = spawn(process.execPath, ['scripts/start.mjs', '--config', file], {
      cwd: ROOT,
      env: { ...environment(), PORT: '0', INTERNAL_PORT: '0', LOG_LEVEL: 'trace', SOLVER_THREADS: '2', FRESHNESS_BOUND_MS: '3000' },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    const exit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    try {
      // Printed once the first snapshot is there, or late.
      const bases = () => /answers at (\S+) \(internal: (\S+)\)/.exec(output);
      expect(await until(() => bases() !== null, START_MS), output).to.equal(true);
      const [, publicUrl, internalUrl] = bases() ?? [];
      const token = (symbol: string) => chain.current().tokens.find((one) => one.symbol === symbol)?.address ?? '';
      const taker = chain.current().accounts[0]?.address ?? '';
      const trade = new URLSearchParams({
        chainId: '31337',
        mode: 'sell',
        sellToken: token('USDC'),
        buyToken: token('WETH'),
        sellAmount: '1000000000',
        taker,
        userAddress: taker,
      });
      const places = [
        `${publicUrl}/healthz`,
        `${publicUrl}/v1/quote?${trade}`,
        `${publicUrl}/v1/swap?${trade}`,
        `${publicUrl}/v1/devnet/sources`,
        `${publicUrl}/nowhere`,
      ];
      const internal = ['metrics', 'livez', 'readyz', 'switches', 'openapi.json', 'nowhere'].map((name) => `${internalUrl}/${name}`);
      const look = async (mood: Mood): Promise<readonly number[]> => {
        provider.mood = mood;
        const statuses: number[] = [];
        for (const place of [...places, ...internal]) {
          const answer = await fetch(place);
          statuses.push(answer.status);
          holdsNone(`${JSON.stringify([...answer.headers])}${await answer.text()}`, `${place} while the provider ${mood}`);
        }
        return statuses;
      };
      const healthy = async () => (await fetch(`${publicUrl}/healthz`)).ok;
      await look('refuses');
      provider.mood = 'honest';
      expect(await until(healthy, START_MS), output.slice(-4000)).to.equal(true);
      expect((await look('honest')).slice(0, 2)).to.deep.equal([200, 200]);
      // Found by asking for code, and kept.
      expect(Object.keys(JSON.parse(readFileSync(path.join(folder, 'kept', 'first-blocks-31337.json'), 'utf8')).blocks).length).to.be.at.least(5);
      holdsNone(readFileSync(path.join(folder, 'kept', 'first-blocks-31337.json'), 'utf8'), 'the kept file');
      for (const mood of ['reverts', 'refuses', 'barred', 'garbage'] as const) {
        provider.mood = mood;
        const noted = output.length;
        expect(await until(() => output.length > noted + 200, START_MS), `nothing is said while the provider ${mood}`).to.equal(true);
        await look(mood);
      }
      // Lines of requests are enough for the loop above; what a provider repeated is told by the indexer, when it next asks.
      provider.mood = 'barred';
      expect(await until(() => output.includes('[redacted]'), START_MS), output.slice(-4000)).to.equal(true);
    } finally {
      child.kill('SIGTERM');
    }
    expect(await exit).to.equal(0);
    holdsNone(output, 'what the service says');
  });

  it('are not in what the example of three chains says either, which starts whatever its nodes do, serves what it can and ends', async () => {
    provider.mood = 'barred';
    const [host, file] = [`127.0.0.1:${provider.port()}`, path.join(folder, 'example.jsonc')];
    const example = readFileSync(path.join(ROOT, 'deploy/braid.example.jsonc'), 'utf8');
    const local = example
      .replaceAll(/https:\/\/[a-z]+\.provider-one\.example/g, `http://${host}`)
      .replaceAll(/wss:\/\/[a-z]+\.provider-one\.example/g, `ws://${host}`);
    expect(local).not.to.equal(example).and.not.to.include('provider-one.example');
    writeFileSync(file, local.replace('// "feeCollector": "0x…",', `"feeCollector": "${chain.current().feeCollector}",`));
    writeFileSync(path.join(folder, 'keys.json'), JSON.stringify({ keys: [] }));
    mkdirSync(path.join(folder, 'secrets'), { recursive: true });
    writeFileSync(path.join(folder, 'secrets/provider-two-ethereum'), `http://${host}/${SECRETS.file}\n`);
    const child = spawn(process.execPath, ['scripts/start.mjs', '--config', file], {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH ?? '',
        PROVIDER_ONE_KEY: SECRETS.path,
        ATTESTER_KEY: 'k3y-of-an-attester',
        HOST: '127.0.0.1',
        PORT: '0',
        INTERNAL_PORT: '0',
        LOG_LEVEL: 'trace',
        SOLVER_THREADS: '2',
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    const exit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    try {
      const url = () => /answers at (\S+) \(/.exec(output)?.[1];
      expect(await until(() => url() !== undefined, START_MS), output).to.equal(true);
      const health = await fetch(`${url()}/healthz`);
      expect(health.status).to.equal(503);
      const text = await health.text();
      for (const name of ['ethereum', 'base', 'bsc']) expect(text).to.include(name);
      const { status } = await fetch(
        `${url()}/v1/quote?${new URLSearchParams({ chainId: '8453', mode: 'sell', sellToken: `0x${'1'.repeat(40)}`, buyToken: `0x${'2'.repeat(40)}`, sellAmount: '1' })}`,
      );
      expect(status).to.equal(500);
    } finally {
      child.kill('SIGTERM');
    }
    expect(await exit, output.slice(-2000)).to.equal(0);
    holdsNone(output, 'what the example says');
  });

  it('are not shown by the deployment either', async () => {
    const file = configuration();
    for (const mood of ['refuses', 'barred', 'garbage', 'reverts'] as const) {
      provider.mood = mood;
      const lines: string[] = [];
      const code = await runDeploy(['--chain', 'devnet', '--config', file, '--dry-run'], {
        out: (line) => lines.push(line),
        err: (line) => lines.push(line),
        env: environment(),
        readFile: (name) => readFileSync(name, 'utf8'),
        limits: { rpcTimeoutMs: 5000, minedMs: 5000 },
      });
      if (mood !== 'reverts') expect(code, lines.join('\n')).to.equal(1);
      holdsNone(lines.join('\n'), `the deployment while the provider ${mood}`);
    }
  });

  it('that are missing end the start with exit code 1 and the name of the field and the variable', async () => {
    const file = configuration();
    const { PROVIDER_KEY, ...env } = environment();
    const child = spawn(process.execPath, ['scripts/start.mjs', '--config', file], { cwd: ROOT, env: { ...env, PORT: '0', INTERNAL_PORT: '0' } });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
    expect(code, output).to.equal(1);
    expect(output).to.include(`braid: ${file}: chains.0.rpcUrls.0 names the environment variable PROVIDER_KEY, which is not set`);
    holdsNone(output, 'the refusal');
    expect(PROVIDER_KEY).to.equal(SECRETS.path);
  });

  it('are blotted out of any text as they are, as JSON writes them and as URLs do', () => {
    const file = configuration();
    const loaded = loadConfig({ env: environment(), argv: ['--config', file], readFile: (name) => readFileSync(name, 'utf8'), availableParallelism: 2 });
    if (!loaded.ok) throw new Error(loaded.message);
    const redact = createRedactor(loaded.config.secrets);
    for (const secret of Object.values(SECRETS)) {
      holdsNone(redact(`a ${secret} b`), 'plain');
      holdsNone(redact(JSON.stringify({ message: `a ${secret} b` })), 'JSON');
      holdsNone(redact(`x?k=${encodeURIComponent(secret)}`), 'a URL');
    }
    expect(redact('eth_call: HTTP 401 at /v2/')).to.equal('eth_call: HTTP 401 at /v2/');
  });
});
