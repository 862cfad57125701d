import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { toFunctionSelector } from 'viem';
import { EVERY_LEG, legSetsFrom } from '../../scripts/contracts/leg-sets.ts';
import { assertKindsKept, legsFrom, renderDispatch, renderLegKinds } from '../../scripts/contracts/legs.ts';
import { compileSolidity } from '../../scripts/solidity.ts';
import { readSettlementContracts } from '../../src/building/building.ts';
import { loadBuilderVenues } from '../../src/venues/venues.ts';
import { ROOT } from '../support/source-files.ts';

const FOLDER = path.join(ROOT, 'contracts', 'legs');

const VENUE_INTERFACES = [
  'IBalancerVault',
  'ICurveCryptoPool',
  'ICurvePool',
  'ICurveReceiverCryptoPool',
  'ICurveReceiverPool',
  'IERC4626',
  'IGMTokenManager',
  'IPoolManager',
  'IPropAMMRouter',
  'ISolidlyPool',
  'ISwapERC20',
  'IUniswapV2Pair',
  'IUniswapV3Pool',
  'IWrappedNative',
];
/** By which tokens of all standards move, burn or approve what somebody holds. */
const MOVERS = [
  ...['transfer(address,uint256)', 'transferFrom(address,address,uint256)', 'approve(address,uint256)'],
  ...['increaseAllowance(address,uint256)', 'decreaseAllowance(address,uint256)', 'increaseApproval(address,uint256)', 'decreaseApproval(address,uint256)'],
  ...['permit(address,address,uint256,uint256,uint8,bytes32,bytes32)', 'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)'],
  'permit(address,address,uint256,uint256,bytes)',
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
  'receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
  ...['burn(uint256)', 'burn(address,uint256)', 'burnFrom(address,uint256)', 'mint(address,uint256)'],
  ...['send(address,uint256,bytes)', 'operatorSend(address,address,uint256,bytes,bytes)', 'burn(uint256,bytes)', 'operatorBurn(address,uint256,bytes,bytes)'],
  ...[
    'authorizeOperator(address)',
    'transferAndCall(address,uint256,bytes)',
    'transferFromAndCall(address,address,uint256,bytes)',
    'approveAndCall(address,uint256,bytes)',
  ],
  ...['safeTransferFrom(address,address,uint256)', 'safeTransferFrom(address,address,uint256,bytes)', 'setApprovalForAll(address,bool)'],
  'safeTransferFrom(address,address,uint256,uint256,bytes)',
  'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
  ...['push(address,uint256)', 'pull(address,uint256)', 'move(address,address,uint256)'],
];
/** Of the allowance holder and Permit2. */
const OURS = [
  ...['exec(address,address,uint256,bytes)', 'transferFrom(address,address,address,uint256)', 'executeFrom(address,bytes)'],
  ...['transferFrom(address,address,uint160,address)', 'approve(address,address,uint160,uint48)', 'transferFrom((address,address,uint160,address)[])'],
  'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)',
  'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)',
  'permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)',
  'permitTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes)',
  'permitWitnessTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes32,string,bytes)',
  'permitWitnessTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes32,string,bytes)',
];

function readLegs(): ReadonlyMap<string, string> {
  return new Map(readdirSync(FOLDER).map((file) => [file, readFileSync(path.join(FOLDER, file), 'utf8')]));
}

/** The text of a leg's file. */
function leg(name: string, kind: number | string): string {
  return `library ${name}Leg {
    uint8 internal constant KIND = ${kind};
    function run(Hop memory hop) internal {}
    function callback() internal {}
}`;
}

describe('the legs of the router', () => {
  it('the dispatch and the kinds in git are what the folder of legs gives', () => {
    const legs = legsFrom(readLegs());
    expect(readFileSync(path.join(ROOT, 'contracts', 'Dispatch.gen.sol'), 'utf8')).to.equal(renderDispatch(legs));
    expect(readFileSync(path.join(ROOT, 'src', 'building', 'encode', 'leg-kinds.gen.ts'), 'utf8')).to.equal(renderLegKinds(legs));
  });

  it('kinds are permanent: these numbers are in calldata that others keep, so none of them may ever change', () => {
    expect(legsFrom(readLegs()).map(({ name, kind }) => [name, kind])).to.deep.include.members([
      ['uniswap_v2', 1],
      ['uniswap_v3', 2],
      ['wrap', 3],
      ['uniswap_v4', 4],
      ['solidly', 5],
      ['balancer_v2', 6],
      ['curve', 7],
      ['erc4626', 8],
      ['uniswap_v4_path', 9],
      ['uniswap_v2_path', 10],
      ['prop_amm', 11],
      ['airswap', 12],
      ['uniswap_v4_attested', 13],
      ['ondo', 14],
    ]);
  });

  it('a kind that changes, or goes from one leg to another, fails the build', () => {
    const legs = legsFrom(readLegs());
    const record = renderLegKinds(legs);
    expect(() => assertKindsKept(record, legs)).to.not.throw();
    const changed = legs.map((leg) => (leg.name === 'wrap' ? { ...leg, kind: 77 } : leg));
    expect(() => assertKindsKept(record, changed)).to.throw('wrap');
    const given = legs.map((leg) => (leg.name === 'wrap' ? { ...leg, name: 'fold' } : leg));
    expect(() => assertKindsKept(record, given)).to.throw('fold');
    expect(() => assertKindsKept(record, [...legs, ...legsFrom(new Map([['zeta.sol', leg('Zeta', 99)]]))])).to.not.throw();
  });

  it('a further file becomes a further leg with the kind that it names, and renumbers no other', () => {
    const legs = legsFrom(new Map([...readLegs(), ['sundial.sol', leg('Sundial', 200)]]));
    expect(legs.map(({ name, kind, callsBack }) => [name, kind, callsBack])).to.deep.include.members([
      ['uniswap_v2', 1, false],
      ['uniswap_v3', 2, true],
      ['wrap', 3, false],
      ['uniswap_v4', 4, false],
      ['solidly', 5, false],
      ['sundial', 200, true],
    ]);
    const text = renderDispatch(legs);
    expect(text).to.contain('if (kind == 200) return SundialLeg.run(hop, cursor);');
    expect(text).to.contain('if (kind == 200) return SundialLeg.callback(allowanceHolder);');
    expect(renderLegKinds(legs)).to.contain("['sundial', 200],");
  });

  it('a kind that two legs have, that none has, or that is not 1 to 255 is refused, and so fails the build', () => {
    for (const { name, kind } of legsFrom(readLegs())) {
      expect(() => legsFrom(new Map([...readLegs(), ['zeta.sol', leg('Zeta', kind)]])), name)
        .to.throw(name)
        .with.property('message')
        .that.contains('zeta');
    }
    for (const kind of ['0', '256', '999', '0x05', '']) {
      expect(() => legsFrom(new Map([...readLegs(), ['zeta.sol', leg('Zeta', kind)]])), kind).to.throw('contracts/legs/zeta.sol has to say');
    }
  });

  it('a file that holds no library, two of them, or no run is refused', () => {
    for (const text of ['contract A {}', `${leg('A', 9)}\n${leg('B', 10)}`, 'library A {\n    uint8 internal constant KIND = 9;\n}']) {
      expect(() => legsFrom(new Map([['bad.sol', text]]))).to.throw('bad.sol');
    }
  });

  it('every venue that is encoded has its leg, and every leg its venue but WRAP', async () => {
    const encoded = new Set(
      [...(await loadBuilderVenues()).values()].flatMap(({ encode: { leg, path, signed } }) => [
        leg,
        ...(path === undefined ? [] : [path.leg]),
        ...(signed === undefined ? [] : [signed.leg]),
      ]),
    );
    const legs = legsFrom(readLegs()).map(({ name }) => name);
    expect(legs).to.include.members([...encoded]);
    expect(legs.filter((name) => !encoded.has(name))).to.deep.equal(['wrap']);
  });

  it('legs reach other contracts through one choke point: no call, no assembly and no address from calldata of their own (LI.FI GasZip 2024)', () => {
    for (const [file, text] of readLegs()) {
      expect(text, file).to.not.match(/\.(?:call|delegatecall|staticcall|account)\b|\bassembly\b/);
      expect(text, file).to.not.match(/\bI[A-Z]\w+\([^)]*\)\.\w+\(/);
      // What is called is the venue as the cursor checked it, wrapped native, or who was found to be the venue being called: its callback.
      const callees = [...text.matchAll(/\baddress (\w+)(?:, uint256 \w+\))? = (?:cursor\.venue(?:With)?\(|hop\.wrappedNative;)/g)].map(([, name]) => name);
      const called = [...text.matchAll(/\b(?:Calls\.\w+\(|Custody\.send\(\s*\w+,|UniswapV4PathLeg\.unlock\(hop,)\s*([\w.]+)/g)].map(([, name]) => name);
      expect(called, file).to.not.have.lengthOf(0);
      expect(['msg.sender', ...callees], file).to.include.members(called);
    }
  });

  it('no name by which legs call venues is one that a token, Permit2 or the allowance holder moves funds by: whatever stands at a venue’s address (K1)', async () => {
    const compiled = await compileSolidity('contracts/interfaces');
    const called = VENUE_INTERFACES.flatMap((name) =>
      (compiled[name]?.abi ?? []).flatMap((item) => (item.type === 'function' ? [toFunctionSelector(item)] : [])),
    );
    expect(called.length).to.be.at.least(VENUE_INTERFACES.length);
    const theirs = new Map([...MOVERS, ...OURS].map((signature) => [toFunctionSelector(signature), signature]));
    expect(called.filter((selector) => theirs.has(selector)).map((selector) => theirs.get(selector))).to.deep.equal([]);
    // None is left out: every interface is one of a venue, or one of these.
    const others = ['IAllowanceHolder', 'IERC20', 'IExecutor', 'ISignatureTransfer', 'IUnlockCallback', 'IUniswapV3Callbacks'];
    expect([...VENUE_INTERFACES, ...others].sort()).to.deep.equal(Object.keys(compiled).sort());
  });

  describe('the sets of legs that Routers have', () => {
    const legs = legsFrom(readLegs());
    const sets = JSON.parse(readFileSync(path.join(ROOT, 'contracts', 'leg-sets.json'), 'utf8')) as Readonly<Record<string, readonly string[]>>;

    it('each has its artifact, with these legs and no others, and one has all legs', () => {
      const { routers } = readSettlementContracts();
      const found = Object.fromEntries(routers.map(({ legSet, legs: own }) => [legSet, [...own].sort()]));
      expect(found[EVERY_LEG]).to.deep.equal(legs.map(({ name }) => name).sort());
      expect(found).to.deep.equal(Object.fromEntries(legSetsFrom(sets, legs).map((set) => [set.name, set.legs.map(({ name }) => name).sort()])));
      // Smallest first, so that a chain pays for no leg of venues that it does not have.
      expect(routers.map(({ legs: own }) => own.length)).to.deep.equal([...routers.map(({ legs: own }) => own.length)].sort((one, other) => one - other));
    });

    it('a set that names a leg that is none, one twice, or lacks wrapping, and two that are the same are refused', () => {
      const all = legs.map(({ name }) => name);
      for (const [wrong, message] of [
        [{ one: [...all, 'sundial'] }, 'sundial'],
        [{ one: [...all, 'wrap'] }, 'twice'],
        [{ one: all.filter((name) => name !== 'wrap') }, 'lacks wrap'],
        [{ one: [...all].reverse() }, 'the same'],
      ] as const) {
        expect(() => legSetsFrom(wrong, legs), message).to.throw(message);
      }
    });
  });
});
