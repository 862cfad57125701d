import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { createPublicClient, http } from 'viem';
import { findAnvil } from '../../src/devnet/anvil-process.ts';
import { type Devnet, DevnetError, startDevnet } from '../../src/devnet/devnet.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function untilGone(pid: number): Promise<boolean> {
  for (let look = 0; look < 50 && isAlive(pid); look++) await pause(100);
  return !isAlive(pid);
}

/** All that happened on the chain before the bots: contract state follows from it. */
async function historyOf(devnet: Devnet): Promise<string> {
  const logs = await createPublicClient({ transport: http(devnet.rpcUrl) }).getLogs({ fromBlock: 0n });
  return logs.map((log) => `${log.address} ${log.topics.join()} ${log.data}`).join('\n');
}

describe('the life of the local chain', () => {
  const running: Devnet[] = [];
  const children: ChildProcess[] = [];
  const start = async (seed: number, scale = 1): Promise<Devnet> => {
    const devnet = await startDevnet({ rpcPort: 0, seed, bots: false, scale });
    running.push(devnet);
    return devnet;
  };
  afterEach(async () => {
    await Promise.all(running.splice(0).map((devnet) => devnet.stop()));
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  it('is the same for the same seed and another for another seed', async () => {
    const first = await start(7);
    const again = await start(7);
    const other = await start(8);
    expect(again.tokens).to.deep.equal(first.tokens);
    expect(again.pools).to.deep.equal(first.pools);
    expect(again.venues).to.deep.equal(first.venues);
    const history = await historyOf(first);
    expect(history.length).to.be.above(100_000);
    expect((await historyOf(again)) === history).to.equal(true);
    expect((await historyOf(other)) === history).to.equal(false);
  });

  it('grows with its scale', async () => {
    const larger = await start(1, 2);
    expect(larger.tokens.length).to.be.at.least(28);
    expect(larger.pools.length).to.be.at.least(120);
  });

  it('leaves no process and no listener when stopped, however often', async () => {
    const devnet = await start(1);
    expect(isAlive(devnet.pid)).to.equal(true);
    await Promise.all([devnet.stop(), devnet.stop()]);
    expect(isAlive(devnet.pid)).to.equal(false);
    await devnet.exited;
    const refused = await fetch(devnet.rpcUrl, { method: 'POST' }).then(
      () => false,
      () => true,
    );
    expect(refused).to.equal(true);
  });

  it('tells when the chain dies by itself', async () => {
    const devnet = await start(1);
    process.kill(devnet.pid, 'SIGKILL');
    expect(await devnet.exited).to.contain('SIGKILL');
  });

  for (const signal of ['SIGKILL', 'SIGINT'] as const) {
    it(`does not outlive a process that ends by ${signal}`, async () => {
      const script = `const { startDevnet } = await import('./src/devnet/devnet.ts'); const devnet = await startDevnet({ rpcPort: 0, seed: 1 }); console.log(devnet.pid);`;
      const child = spawn(process.execPath, ['--import', './scripts/typescript.mjs', '--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      const pid = Number(await new Promise<string>((resolve) => child.stdout.setEncoding('utf8').once('data', resolve)));
      expect(isAlive(pid)).to.equal(true);
      child.kill(signal);
      expect(await untilGone(pid)).to.equal(true);
    });
  }

  it('refuses a taken port by name', async () => {
    const squatter = createServer();
    const port = await new Promise<number>((resolve) => {
      squatter.listen(0, '127.0.0.1', () => resolve((squatter.address() as { port: number }).port));
    });
    const outcome = await startDevnet({ rpcPort: port, seed: 1 }).catch((error: unknown) => error);
    squatter.close();
    expect(outcome).to.be.instanceOf(DevnetError);
    expect((outcome as DevnetError).message)
      .to.contain(`port ${port}`)
      .and.contain('already in use')
      .and.contain('DEVNET_PORT');
  });

  it('says what to do where there is no anvil', () => {
    expect(() => findAnvil('plan9', 'x64')).to.throw(DevnetError, /anvil is missing.*@foundry-rs\/anvil-plan9-amd64.*npm ci/);
  });
});
