import { concatHex, getContractAddress, type Hex, padHex } from 'viem';
import { type Address, asAddress } from '../units/units.ts';

/** The canonical CREATE2 factory, which has this address and this code on every chain that has it (github.com/Arachnid/deterministic-deployment-proxy). */
export const CREATE2_FACTORY = asAddress('0x4e59b44847b379578588920cA78FbF26c0B4956C');
export const CREATE2_FACTORY_CODE: Hex =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3';

const SALT = padHex('0x', { size: 32 });

/** Where the factory puts a contract of this creation code: who sends the transaction has no bearing on it. */
export function deterministicAddress(creationCode: Hex): Address {
  return asAddress(getContractAddress({ opcode: 'CREATE2', from: CREATE2_FACTORY, salt: SALT, bytecode: creationCode }));
}

/** What the factory is called with to put it there. It reverts where something stands there already. */
export function factoryInput(creationCode: Hex): Hex {
  return concatHex([SALT, creationCode]);
}
