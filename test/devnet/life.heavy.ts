import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { createPublicClient, http } from 'viem';
import { findAnvil } from '../../src/devnet/anvil-process.ts';
import { type Devnet, DevnetError, startDevnet } from '../../src/devnet/devnet.ts';
import { until } from '../support/until.ts';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
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
    // Set up each time: the same state twice would be the same whatever the seed.
    const devnet = await startDevnet({ rpcPort: 0, seed, bots: false, scale, stateFolder: null });
    running.push(devnet);
    return devnet;
  };
  afterEach(async () => {
    await Promise.all(running.splice(0).map((devnet) => devnet.stop()));
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  it('is the same for the same seed, another for another seed, and grows with its scale', async () => {
    const first = await start(7);
    const again = await start(7);
    const other = await start(8, 2);
    expect(again.tokens).to.deep.equal(first.tokens);
    expect(again.pools).to.deep.equal(first.pools);
    expect(again.deployments).to.deep.equal(first.deployments);
    const history = await historyOf(first);
    expect(history.length).to.be.above(100_000);
    expect((await historyOf(again)) === history).to.equal(true);
    const spreads = (devnet: Devnet): number[] => devnet.pools.map((pool) => pool.liquidityUsd);
    expect(spreads(other).slice(0, 20)).to.not.deep.equal(spreads(first).slice(0, 20));
    expect(other.tokens.length).to.be.at.least(28);
    expect(other.pools.length).to.be.at.least(120);
  });

  it('leaves no process and no listener when stopped, however often, and tells when it dies by itself', async () => {
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
    const doomed = await start(1);
    process.kill(doomed.pid, 'SIGKILL');
    expect(await doomed.exited).to.contain('SIGKILL');
  });

  it('does not outlive a process that is killed', async () => {
    const script = `const { startDevnet } = await import('./src/devnet/devnet.ts'); console.log((await startDevnet({ rpcPort: 0, seed: 1 })).pid);`;
    const child = spawn(process.execPath, ['--import', './scripts/typescript.mjs', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const pid = Number(await new Promise<string>((resolve) => child.stdout.setEncoding('utf8').once('data', resolve)));
    expect(isAlive(pid)).to.equal(true);
    child.kill('SIGKILL');
    expect(await until(() => !isAlive(pid), 60_000)).to.equal(true);
  });

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
