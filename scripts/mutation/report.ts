import type { Mutant } from './mutants.ts';
import type { Room } from './rooms.ts';
import type { Tried } from './run-record.ts';

export type Outcome = { readonly mutant: Mutant; readonly tried: Tried };

/** Of those that change an answer. */
export const WANTED = 0.92;

export function sharesNoticed(outcomes: readonly Outcome[]): number {
  return outcomes.filter(({ tried }) => tried.end !== 'lives').length / Math.max(1, outcomes.length);
}

export function reportText(rooms: readonly Room[], outcomes: readonly Outcome[], seed: number, sampled: number, wanted = WANTED): string {
  const rows = rooms.map((room) => {
    const own = outcomes.filter(({ mutant }) => mutant.room === room);
    const by = (end: Tried['end']) => own.filter(({ tried }) => tried.end === end).length;
    return `| ${room.name} | ${own.length} | ${by('fail')} | ${by('timeout')} | ${by('lives')} | ${percent(sharesNoticed(own))} |`;
  });
  const living = outcomes
    .filter(({ tried }) => tried.end === 'lives')
    .map(({ mutant: { file, line, original, replacement }, tried: { passed, leftOut } }) => {
      const unrun = leftOut.length === 0 ? '' : `, ${leftOut.length} not run`;
      return `- ${file}:${line} \`${oneLine(original)}\` → \`${oneLine(replacement)}\` (${passed.length} test files let it through${unrun})`;
    });
  const head = '| room | mutants | a test fails | did not end | live | noticed |\n|---|---|---|---|---|---|';
  const tried = outcomes.length === sampled ? `Of ${sampled}` : `Of ${outcomes.length} tried so far, of ${sampled},`;
  const said = `${tried} (seed ${seed}) ${percent(sharesNoticed(outcomes))} are noticed; wanted are ${percent(wanted)}.`;
  return `${head}\n${rows.join('\n')}\n\n${said}\n\n${living.join('\n')}\n`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= 100 ? line : `${line.slice(0, 100)} …`;
}
