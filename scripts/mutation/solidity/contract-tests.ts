const FOLDER = 'test/chain/settlement';
/** Of constructors. */
const DEPLOYMENT = 'test/contracts/construction.test.ts';

/** Suites on anvil by what of the contracts they are about. Those of gas and of random routes take too long to be run so often. */
const NEAREST: readonly (readonly [file: RegExp, suites: readonly string[]])[] = [
  [/AllowanceHolder/, ['allowance-holder']],
  [/Permits|Transient/, ['permit2-attacks', 'permit2', 'rules-callbacks']],
  [/Offers/, ['fee-receivers']],
  [/Terms|Shares/, ['rules-end']],
  [/Cursor/, ['payload', 'rules-funds']],
  [/Custody/, ['legs', 'erc4626', 'curve']],
  [/Tokens|Calls|Hop/, ['rules-funds', 'legs']],
  [/legs\/balancer_v2/, ['balancer-v2']],
  [/legs\/curve/, ['curve']],
  [/legs\/erc4626/, ['erc4626']],
  [/legs\/solidly/, ['solidly']],
  [/legs\/uniswap_v4|Unlocked/, ['uniswap-v4', 'uniswap-v4-path', 'uniswap-v4-attested']],
  [/legs\/uniswap_v3/, ['edges', 'rules-callbacks', 'pancake-v3']],
  [/legs\/uniswap_v2_path/, ['uniswap-v2-path']],
  [/legs\/uniswap_v2\.|Pairs/, ['edges', 'rules-funds', 'uniswap-v2-path']],
  [/Router/, ['rules-end', 'direct-delivery']],
];

/** For what the nearest let through. */
const ALL = [
  'rules-end',
  'rules-funds',
  'rules-callbacks',
  'fee-receivers',
  'direct-delivery',
  'payload',
  'edges',
  'allowance-holder',
  'legs',
  'permit2',
  'permit2-attacks',
  'faults-of-tokens',
  'review-attacks',
];

const pathOf = (suite: string) => `${FOLDER}/${suite}.test.ts`;

/** Suites that may notice a change of a contract, the likeliest first. */
export function contractTests(file: string): readonly string[] {
  const nearest = NEAREST.filter(([pattern]) => pattern.test(file)).flatMap(([, suites]) => suites);
  const suites = [...new Set([...nearest, ...ALL])].map(pathOf);
  return /legs|lib/.test(file) ? suites : [DEPLOYMENT, ...suites];
}
