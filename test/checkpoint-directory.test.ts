import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { HostingRefused, hostConfigured } from '../src/host-chains.ts';
import { asAddress, type DurationMs } from '../src/units/units.ts';
import { NOTHING_OFF } from '../src/venues/venues.ts';
import { testConfig } from './support/braid.ts';
import { useTemporaryFolder } from './support/temporary-folder.ts';

const NOBODY = asAddress(`0x${'01'.repeat(20)}`);

describe('the directory of checkpoints', () => {
  const folder = useTemporaryFolder();

  it('is refused at the start, by the field or the variable that named it, where nothing can be written to it', () => {
    const file = path.join(folder.current(), 'a-file');
    writeFileSync(file, '');
    const config = { ...testConfig(), feeCollector: NOBODY, checkpointDirectory: path.join(file, 'beneath') };
    const chain = {
      chainId: 1,
      rpcUrls: ['http://127.0.0.1:1/'],
      wrappedNative: NOBODY,
      minimumGasPriceWei: null,
      prices: { feeds: null, stablecoins: null, minimumDepthUsd: null },
      freshnessBound: 1 as DurationMs,
      deployments: [],
      router: null,
      allowanceHolder: null,
      gatedVenues: [],
      wellKnownTokens: null,
      verdictBlocks: null,
      routeThrough: null,
      switchedOff: NOTHING_OFF,
      makers: [],
      attesters: [],
      listedMakers: null,
      listedTokens: null,
      minimumLiquidity: null,
    };
    for (const checkpointDirectoryBy of ['checkpointDirectory', 'CHECKPOINT_DIRECTORY'] as const) {
      expect(() => hostConfigured({ ...config, checkpointDirectoryBy }, [chain])).to.throw(HostingRefused, `${checkpointDirectoryBy} ${file}`);
    }
  });
});
