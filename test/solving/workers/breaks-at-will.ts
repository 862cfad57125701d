// As `misbehaving`, but threads that begin while BREAKS is set can not load.
import { BREAKS } from './breaks.ts';

if (process.env[BREAKS] !== undefined) throw new Error('this thread can not load now');

export { default } from './misbehaving.ts';
