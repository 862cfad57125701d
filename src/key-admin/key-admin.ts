// The front door of the key administration room: `npm run keys`, a program of its own beside the service.
export { type KeysWorld, runKeys } from './run-keys.ts';
