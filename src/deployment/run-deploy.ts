import { type Hex, isHex } from 'viem';
import { createRedactor } from '../config/config.ts';
import { asciiTrim } from '../units/units.ts';
import { parseDeployCommand } from './deploy-command.ts';
import { type DeployLimits, deploySettlement } from './deploy-settlement.ts';
import { findTarget, type TargetSources } from './deploy-target.ts';

/** What the program works with. */
export type DeployWorld = TargetSources & {
  /** One line to standard output. */
  readonly out: (line: string) => void;
  /** One line to standard error. */
  readonly err: (line: string) => void;
  readonly limits: DeployLimits;
};

/** Deploys the settlement contracts of one chain: command line in, exit code out. A refusal is one line and exit code 1. */
export async function runDeploy(argv: readonly string[], world: DeployWorld): Promise<0 | 1> {
  const refuse = (message: string): 1 => {
    world.err(`deploy: ${message}`);
    return 1;
  };
  const parsed = parseDeployCommand(argv);
  if (!parsed.ok && parsed.kind === 'help') {
    world.out(parsed.message);
    return 0;
  }
  if (!parsed.ok) return refuse(parsed.message);
  const target = await findTarget(parsed.command, world);
  if (!target.ok) return refuse(target.message);
  const key = parsed.command.dryRun ? { ok: true as const, key: null } : readKey(world.env.DEPLOYER_KEY);
  if (!key.ok) return refuse(key.message);
  const redact = createRedactor(target.secrets);
  const deployed = await deploySettlement(target, key.key, (line) => world.out(redact(line)), world.limits);
  if (!deployed.ok) return refuse(redact(`${target.name}: ${deployed.message}`));
  return 0;
}

/** The key is repeated in no message. */
function readKey(text: string | undefined): { readonly ok: true; readonly key: Hex } | { readonly ok: false; readonly message: string } {
  const key = asciiTrim(text ?? '');
  if (key === '') return { ok: false, message: 'DEPLOYER_KEY is not set: the private key of the account that pays' };
  // Not by its bytes: viem counts half of one as a whole.
  if (!isHex(key) || key.length !== KEY_CHARACTERS || !(BigInt(key) > 0n && BigInt(key) < CURVE_ORDER)) {
    return { ok: false, message: 'DEPLOYER_KEY is no private key: 0x and 64 hexadecimal digits' };
  }
  return { ok: true, key };
}

/** 0x and 32 bytes. */
const KEY_CHARACTERS = 66;

/** Of secp256k1: private keys lie below it. */
const CURVE_ORDER = 0xffffffff_ffffffff_ffffffff_fffffffe_baaedce6_af48a03b_bfd25e8c_d0364141n;
