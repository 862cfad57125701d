import { concatHex, getContractAddress, getCreate2Address, type Hex, numberToHex } from 'viem';
import { type Address, asAddress } from '../../units/units.ts';
import type { TransactionScript } from '../transaction-script.ts';

/** The deployer that every chain may have by a transaction without a key; anvil has it from the start. Takes a salt and creation code. */
const DEPLOYER = asAddress('0x4e59b44847b379578588920ca78fbf26c0b4956c');
/** Creation code of a contract that creates whatever code it is called with: what it creates first has an address that follows from its own, and not from the code. */
const CREATOR: Hex = '0x67363d3d37363d34f03d5260086018f3';

/** Where the contract of a salt is, whatever its code: salts are mined for addresses that say something. */
export function addressOfSalt(salt: number): Address {
  return asAddress(getContractAddress({ from: creatorOf(salt), nonce: 1n }));
}

/** Adds the deployment of a contract without constructor arguments at the address of a salt. */
export function deployAtSalt(script: TransactionScript, label: string, code: Hex, salt: number): Address {
  script.call(`${label} creator`, DEPLOYER, concatHex([saltWord(salt), CREATOR]));
  script.call(label, creatorOf(salt), code);
  return addressOfSalt(salt);
}

function creatorOf(salt: number): Address {
  return asAddress(getCreate2Address({ from: DEPLOYER, salt: saltWord(salt), bytecode: CREATOR }));
}

function saltWord(salt: number): Hex {
  return numberToHex(salt, { size: 32 });
}
