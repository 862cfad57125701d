import { encodeDeployData, encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem';
import type { Address } from '../../src/units/units.ts';
import { npmArtifact } from './artifacts.ts';
import type { TestChain } from './settlement/test-chain.ts';

const REGISTRY = npmArtifact('@airswap/registry/build/contracts/Registry.sol/Registry.json');
export const REGISTRY_ABI = parseAbi([
  'function setServerURL(string url)',
  'function unsetServer()',
  'function addProtocols(bytes4[] protocols)',
  'function removeProtocols(bytes4[] protocols)',
]);
/** Requests for quotes of ERC-20 orders, and last-look orders. */
export const [BY_REQUEST, LAST_LOOK]: readonly [Hex, Hex] = ['0x02ad05d3', '0x395ce737'];
const [STAKE, SUPPORT] = [1_000n, 10n];

/** AirSwap's registry as AirSwap compiled it, and its stakers. */
export type MakerRegistry = {
  readonly address: Address;
  /** Stakes, and lists an address for the protocols. The staker has the tokens for it. */
  list(staker: Address, url: string, protocols?: readonly Hex[]): Promise<void>;
  setUrl(staker: Address, url: string): Promise<void>;
  setProtocols(staker: Address, change: 'addProtocols' | 'removeProtocols', protocols: readonly Hex[]): Promise<void>;
  unlist(staker: Address): Promise<void>;
};

/** `stakers` let it take of the stake token what they have to stake. */
export async function deployMakerRegistry(chain: TestChain, deployer: Address, stakeToken: Address, stakers: readonly Address[]): Promise<MakerRegistry> {
  const address = await chain.deploy(deployer, encodeDeployData({ ...REGISTRY, args: [stakeToken, STAKE, SUPPORT] }));
  const send = async (staker: Address, to: Address, data: Hex): Promise<void> => {
    // So that several fit a block.
    await chain.mustSend(staker, { to, data, gas: 1_000_000 + 500 * data.length });
  };
  const write = (staker: Address, data: Hex): Promise<void> => send(staker, address, data);
  const urlData = (url: string): Hex => encodeFunctionData({ abi: REGISTRY_ABI, functionName: 'setServerURL', args: [url] });
  const protocolsData = (functionName: 'addProtocols' | 'removeProtocols', protocols: readonly Hex[]): Hex =>
    encodeFunctionData({ abi: REGISTRY_ABI, functionName, args: [protocols] });
  const allowed = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [address, 1_000_000n] });
  await Promise.all(stakers.map((staker) => send(staker, stakeToken, allowed)));
  return {
    address,
    async list(staker, url, protocols = [BY_REQUEST]) {
      // One after the other: two at once from one account may be given the same nonce by the node.
      await write(staker, urlData(url));
      if (protocols.length > 0) await write(staker, protocolsData('addProtocols', protocols));
    },
    setUrl: (staker, url) => write(staker, urlData(url)),
    setProtocols: (staker, change, protocols) => write(staker, protocolsData(change, protocols)),
    unlist: (staker) => write(staker, encodeFunctionData({ abi: REGISTRY_ABI, functionName: 'unsetServer' })),
  };
}
