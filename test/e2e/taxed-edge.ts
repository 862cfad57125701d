import { type Edge, startEdge } from '../http/support/edge.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';
import { type Ground, layGround } from '../support/settlement/ground.ts';
import { type MarketOptions, openTaxedMarket, type TaxedMarket, type TaxedSpec, type Verdicts } from '../support/taxed-market.ts';

/** The public routes over a market of tokens that lose something on their way. */
export type TaxedEdge = {
  readonly ground: Ground;
  readonly market: TaxedMarket;
  readonly edge: Edge;
  /** Between the service and its node. */
  readonly proxy: RpcProxy;
  close(): Promise<void>;
};

export async function openTaxedEdge(specs: readonly TaxedSpec[], source: Verdicts, options: MarketOptions = {}): Promise<TaxedEdge> {
  const ground = await layGround();
  const proxy = await startRpcProxy(() => ground.chain.url);
  const market = await openTaxedMarket(ground, specs, source, { ...options, rpcUrl: proxy.url });
  const { solving, hosting } = market;
  const edge = await startEdge({
    chains: hosting.chains,
    solve: (job, caller) => solving.solve(job, caller),
    certify: (job, caller) => solving.certify(job, caller),
    budgetsNeverEnd: true,
  });
  return {
    ground,
    market,
    edge,
    proxy,
    async close() {
      await edge.close();
      await market.close();
      await proxy.stop();
      await ground.stop();
    },
  };
}
