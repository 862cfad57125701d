// One part of the table, in a process of its own: node --import ./scripts/typescript.mjs bench/solver/table/part-process.ts PART SCALE
// SCALE: JSON of a Scale. Prints the rows as one line of JSON.
import { runPart } from './parts.ts';
import type { Scale } from './scale.ts';

const [part, scale] = process.argv.slice(2);
if (part === undefined || scale === undefined) throw new RangeError('a part and its scale are expected');
const parsed: Scale = JSON.parse(scale);
console.log(JSON.stringify(await runPart(part, parsed)));
