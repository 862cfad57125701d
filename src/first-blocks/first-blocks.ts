// The front door of the room that finds in which block a contract was made: logs before it need not be looked at.
export { type Deployment, type FirstBlockSearch, findFirstBlocks } from './find-first-blocks.ts';
