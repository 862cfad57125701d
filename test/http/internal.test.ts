import { expect } from 'chai';
import sinon from 'sinon';
import { LIMITS } from '../../src/config/limits.ts';
import { type Edge, type EdgeOptions, liveChain, startEdge } from './support/edge.ts';
import { sendRaw } from './support/raw.ts';

describe('the internal listener', () => {
  let edge: Edge;
  afterEach(() => edge.close());
  const start = async (options: EdgeOptions = {}) => {
    edge = await startEdge(options);
  };
  const ask = (path: string, init?: RequestInit) => fetch(`${edge.internalUrl}${path}`, { redirect: 'manual', ...init });

  it('/metrics in the text format of Prometheus, with bounds beside their values', async () => {
    await start({
      chains: [liveChain().hosted, liveChain('bsc', false).hosted],
      gauge: { queueDepth: () => 7, inflight: () => 1, estimatedWaitMs: () => 22.5 },
    });
    await fetch(`${edge.url}/nothing`);
    const response = await ask('/metrics');
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.match(/^text\/plain; version=0\.0\.4/);
    const text = await response.text();
    for (const line of [
      'braid_http_requests_total{route="unknown",chain="none",status="404"} 1',
      'braid_metering_decisions_total{identity="ip",decision="allowed"} 1',
      'braid_metering_buckets 1',
      'braid_metering_keys 7',
      'braid_solver_queue_depth 7',
      'braid_solver_queue_limit 512',
      'braid_solver_inflight 1',
      'braid_solver_workers{state="live"} 1',
      'braid_solver_workers{state="reserve"} 0',
      'braid_solver_workers_configured 1',
      'braid_ready 1',
      'braid_http_connections 1',
      'braid_http_connections_limit 10000',
      'braid_admission_inflight_clients 0',
      `braid_admission_inflight_clients_limit ${LIMITS.http.connections}`,
      `braid_switched_off_limit{chain="bsc"} ${LIMITS.switching.offPerChain}`,
      'braid_log_lines_lost_total 0',
      `braid_admission_wait_limit_seconds ${LIMITS.admission.waitMs / 1000}`,
      'braid_admission_estimated_wait_seconds 0.0225',
      'braid_snapshot_age_seconds{chain="ethereum"} 0',
      'braid_snapshot_age_limit_seconds{chain="bsc"} 30',
    ]) {
      expect(text.split('\n')).to.include(line);
    }
  });

  it('/metrics shows how many lines of the log are lost by then, however often it is asked', async () => {
    let lost = 0;
    await start({ logLinesLost: () => lost });
    const shown = async () => (await (await ask('/metrics')).text()).split('\n').find((line) => line.startsWith('braid_log_lines_lost_total '));
    const seen: (string | undefined)[] = [];
    for (lost of [0, 3, 3, 7]) seen.push(await shown());
    expect(seen).to.deep.equal([0, 3, 3, 7].map((count) => `braid_log_lines_lost_total ${count}`));
  });

  it('/metrics is made anew no faster than it may, but for whoever asks for that as of any cache', async () => {
    // Still, or a slow machine would never use the budget up.
    const clock = sinon.useFakeTimers({ toFake: ['performance'] });
    let lost = 0;
    await start({ logLinesLost: () => lost });
    const shown = async (init: RequestInit = {}) => Number(/^braid_log_lines_lost_total (\d+)$/m.exec(await (await ask('/metrics', init)).text())?.[1]);
    try {
      for (lost = 1; lost <= LIMITS.http.scrapes.burst; lost++) expect(await shown()).to.equal(lost);
      lost = 90;
      expect(await shown()).to.equal(LIMITS.http.scrapes.burst);
      expect(await shown({ headers: { 'cache-control': 'no-cache' } })).to.equal(90);
      lost = 91;
      expect(await shown({ headers: { 'cache-control': 'max-age=0' } })).to.equal(90);
      expect(await shown({ headers: { 'cache-control': 'max-age=0, no-cache' } })).to.equal(91);
      clock.tick(1000);
      lost = 92;
      expect(await shown()).to.equal(92);
    } finally {
      clock.restore();
    }
  });

  it('/livez, and /readyz with what it waits for', async () => {
    let ready = false;
    await start({ readiness: () => (ready ? { ready } : { ready: false, waitingFor: ['snapshot of ethereum'] }) });
    expect((await ask('/livez')).status).to.equal(200);
    const waiting = await ask('/readyz');
    expect([waiting.status, await waiting.json()]).to.deep.equal([503, { ready: false, waitingFor: ['snapshot of ethereum'] }]);
    ready = true;
    expect((await ask('/readyz')).status).to.equal(200);
  });

  it('/openapi.json as it is, and /docs that shows it', async () => {
    await start();
    expect(await (await ask('/openapi.json')).text()).to.equal('{"openapi":"3.1.0"}');
    const moved = await ask('/docs');
    expect([moved.status, moved.headers.get('location')]).to.deep.equal([308, '/docs/']);
    const page = await (await ask('/docs/')).text();
    const assets = [...page.matchAll(/(?:src|href)="\.?\/?([^"]+)"/g)].map(([, name]) => name ?? '');
    expect(assets).to.include('swagger-initializer.js');
    for (const asset of assets) expect((await ask(`/docs/${asset}`)).status, asset).to.equal(200);
    const initializer = await (await ask('/docs/swagger-initializer.js')).text();
    expect(initializer).to.include("url: '/openapi.json'").and.not.include('petstore');
  });

  it('/devnet is not there unless the devnet runs', async () => {
    await start();
    for (const [path, method] of [
      ['/devnet', 'GET'],
      ['/devnet/bots', 'POST'],
      ['/v1/quote', 'GET'],
    ] as const) {
      const response = await ask(path, { method });
      expect(response.status).to.equal(404);
      expect(await response.json()).to.have.all.keys('error');
    }
  });

  it('GET /devnet describes the devnet; POST /devnet/bots { "on": false } stops the trading bots', async () => {
    const setBots = sinon.stub<[boolean], Promise<void>>().resolves();
    const description = { rpcUrl: 'http://127.0.0.1:8545', chainId: 31_337, accounts: [], tokens: [] };
    await start({ devnet: { describe: () => description, setBots } });
    expect(await (await ask('/devnet')).json()).to.deep.equal(description);
    for (const [body, type] of [
      ['{"on":false}', 'application/json'],
      ['{ "on": true }', 'application/x-www-form-urlencoded'],
      ['{"on":false}', 'text/plain'],
    ] as const) {
      const response = await ask('/devnet/bots', { method: 'POST', body, headers: { 'content-type': type } });
      expect([response.status, await response.json()]).to.deep.equal([200, { on: JSON.parse(body).on }]);
    }
    expect(setBots.args).to.deep.equal([[false], [true], [false]]);
    for (const body of ['', '{', '{"on":"false"}', '{"on":1}', 'null', '[]', 'x'.repeat(5000)]) {
      const response = await ask('/devnet/bots', { method: 'POST', body });
      expect(response.status, body.slice(0, 20)).to.equal(400);
      expect(await response.json()).to.have.all.keys('error');
    }
    expect(setBots.callCount).to.equal(3);
  });

  describe('asked by a page of another site, in the browser of whoever operates it', () => {
    const setBots = sinon.stub<[boolean], Promise<void>>().resolves();
    const raw = async (request: string, headers: Readonly<Record<string, string>>, body = '') => {
      const port = Number(new URL(edge.internalUrl).port);
      const lines = Object.entries({ Host: `127.0.0.1:${port}`, Connection: 'close', 'Content-Length': String(body.length), ...headers });
      return (await sendRaw(port, `${request} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`)).status;
    };
    const open = async (options: EdgeOptions = {}) => {
      setBots.resetHistory();
      await start({ devnet: { describe: () => ({ apiKey: 'secret' }), setBots }, ...options });
    };

    it('changes nothing, however the page asks', async () => {
      await open();
      for (const headers of [
        { Origin: 'https://evil.example' },
        { Origin: 'null' },
        { Origin: 'http://127.0.0.1:1' },
        { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' },
        { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' },
        { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'cors' },
        { Host: 'evil.example' },
        { Host: `127.0.0.1.evil.example:${new URL(edge.internalUrl).port}` },
      ]) {
        expect(await raw('POST /devnet/bots', headers, '{"on":false}'), JSON.stringify(headers)).to.equal(400);
      }
      expect(setBots.args).to.deep.equal([]);
    });

    it('reads nothing, but a link to a page of ours may be followed', async () => {
      await open();
      for (const [headers, status] of [
        [{ 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' }, 400],
        [{ Host: 'evil.example' }, 400],
        [{ Origin: 'https://evil.example' }, 400],
        [{ 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' }, 200],
      ] as const) {
        expect(await raw('GET /devnet', headers), JSON.stringify(headers)).to.equal(status);
      }
    });

    it('serves its own pages, and whoever is no browser', async () => {
      await open();
      const { host } = new URL(edge.internalUrl);
      for (const headers of [
        {},
        { Host: host.replace('127.0.0.1', 'localhost') },
        { Host: host.replace('127.0.0.1', '[::1]') },
        { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' },
        { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors', Origin: `http://${host}` },
      ]) {
        expect(await raw('POST /devnet/bots', headers, '{"on":true}'), JSON.stringify(headers)).to.equal(200);
      }
      expect(setBots.callCount).to.equal(5);
    });

    it('where other machines may connect, it has whatever name they know it by', async () => {
      await open({ internalHost: '0.0.0.0' });
      expect(await raw('GET /devnet', { Host: 'braid.monitoring.svc:9090' })).to.equal(200);
      expect(await raw('POST /devnet/bots', { Host: 'braid:9090', Origin: 'https://evil.example' }, '{"on":true}')).to.equal(400);
    });
  });

  it('a part that fails gives a JSON 500 without its inside', async () => {
    await start({
      readiness: () => {
        throw new Error('canary');
      },
    });
    const response = await ask('/readyz');
    const text = await response.text();
    expect(response.status).to.equal(500);
    expect(text).not.to.include('canary');
    expect(JSON.parse(text)).to.have.all.keys('error');
    expect(edge.lines.some((line) => line.includes('canary'))).to.equal(true);
  });
});
