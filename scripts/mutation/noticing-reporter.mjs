// Tells the mutation runner which test file failed first, and that the run came to its end. Mocha's own JSON reporter gives up on an error that holds a bigint, and the process then ends as if all had passed.
import { writeFileSync } from 'node:fs';

export default class NoticingReporter {
  constructor(runner, { reporterOption: { output } }) {
    let failed = null;
    runner.on('fail', ({ file, parent }) => {
      failed ??= { file: file ?? parent?.file ?? null };
    });
    runner.once('end', () => writeFileSync(output, JSON.stringify({ failed })));
  }
}
