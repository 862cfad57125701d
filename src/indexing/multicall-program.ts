import { LIMITS } from '../config/limits.ts';

const OPCODES: Readonly<Record<string, number>> = {
  add: 0x01,
  mul: 0x02,
  sub: 0x03,
  lt: 0x10,
  gt: 0x11,
  iszero: 0x15,
  and: 0x16,
  xor: 0x18,
  shl: 0x1b,
  shr: 0x1c,
  codesize: 0x38,
  codecopy: 0x39,
  returndatasize: 0x3d,
  returndatacopy: 0x3e,
  pop: 0x50,
  mload: 0x51,
  mstore: 0x52,
  jump: 0x56,
  jumpi: 0x57,
  gas: 0x5a,
  dup1: 0x80,
  dup2: 0x81,
  dup3: 0x82,
  dup4: 0x83,
  dup5: 0x84,
  dup6: 0x85,
  dup7: 0x86,
  swap1: 0x90,
  swap2: 0x91,
  swap3: 0x92,
  return: 0xf3,
  staticcall: 0xfa,
  invalid: 0xfe,
};

/**
 * The program. Its input follows its own code: per call the address (20 bytes), the length of its data (2), the most it may answer (2), its data. It copies
 * the input to memory at 0, walks it with p and writes the answers from n, the input's length, on at o: per call 1 or 0 (1 byte), the length of what is
 * kept of the answer (2), that answer. `#` pushes a hex value, `@` pushes the place of a label. Comments show the stack after the line, top at the right.
 */
const SOURCE = `
  @size codesize sub                     // n
  dup1 @size #00 codecopy                // n
  dup1 #00                               // n o p
loop:
  dup3 dup2 lt iszero @end jumpi         // n o p
  gas #ENOUGH gt @fail jumpi             // n o p
  dup1 mload                             // n o p word
  dup1 #50 shr #ffff and                 // n o p word length
  dup2 #40 shr #ffff and                 // n o p word length most
  swap2 #60 shr                          // n o p most length address
  #00 #00 dup4 dup7 #18 add dup5 #GAS    // … 0 0 length p+24 address gas
  staticcall                             // n o p most length address ok
  swap1 pop swap2 swap3 #18 add add      // n o most ok p'
  swap2 returndatasize                   // n o p' ok most got
  dup2 dup2 lt swap1 dup3 xor mul xor    // n o p' ok size, the smaller of most and got
  dup1 #e8 shl dup3 #f8 shl add          // n o p' ok size header
  dup5 mstore                            // n o p' ok size
  dup1 #00 dup6 #03 add returndatacopy   // n o p' ok size
  swap1 pop swap1 swap2 add #03 add      // n p' o'
  swap1 @loop jump                       // n o' p'
end:
  pop dup2 swap1 sub swap1 return
fail:
  invalid
`;

/** A call can be given at most 63/64 of what is left. Below this, a call might fail for want of gas that it was promised, so everything fails instead. */
const ENOUGH_GAS = Math.ceil((LIMITS.indexing.multicall.gasPerCall * 64) / 63) + 5000;

const fourBytes = (value: number): string => `#${value.toString(16).padStart(8, '0')}`;

/** Hex of the program, without 0x: init code that runs the calls appended to it and returns their answers instead of a contract. */
export const MULTICALL_PROGRAM = assemble(SOURCE.replace('#GAS', fourBytes(LIMITS.indexing.multicall.gasPerCall)).replace('#ENOUGH', fourBytes(ENOUGH_GAS)));

function assemble(source: string): string {
  const words = source
    .replace(/\/\/.*$/gm, '')
    .split(/\s+/)
    .filter(Boolean);
  const labels = new Map<string, number>();
  let size = 0;
  for (const word of words) {
    if (word.endsWith(':')) labels.set(word.slice(0, -1), size);
    size += bytesOf(word);
  }
  labels.set('size', size);
  if (size > 0xff) throw new RangeError('labels are pushed as one byte');
  return words.map((word) => encode(word, labels)).join('');
}

function bytesOf(word: string): number {
  if (word.startsWith('@')) return 2;
  if (word.startsWith('#')) return 1 + (word.length - 1) / 2;
  return 1;
}

function encode(word: string, labels: ReadonlyMap<string, number>): string {
  if (word.endsWith(':')) return hex(0x5b);
  if (word.startsWith('#')) return hex(0x5f + (word.length - 1) / 2) + word.slice(1);
  const value = word.startsWith('@') ? labels.get(word.slice(1)) : OPCODES[word];
  if (value === undefined) throw new Error(`no opcode or label ${word}`);
  return word.startsWith('@') ? hex(0x60) + hex(value) : hex(value);
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
