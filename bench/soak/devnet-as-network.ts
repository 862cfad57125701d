import { type Devnet, plainMarket } from '../../src/devnet/devnet.ts';

/** A configuration file that serves a devnet as if it were a real network, by whatever stands in front of its node. */
export function devnetAsNetwork(devnet: Devnet, rpcUrl: string, freshnessSeconds: number): unknown {
  const { chainId, wrappedNative, deployments, router, allowanceHolder, feeCollector } = devnet;
  const wellKnownTokens = plainMarket(devnet).tokens.map(({ address }) => address);
  return {
    feeCollector,
    chains: [{ chainId, rpcUrls: [rpcUrl], wrappedNative, deployments, router, allowanceHolder, wellKnownTokens, freshnessBoundMs: freshnessSeconds * 1000 }],
  };
}
