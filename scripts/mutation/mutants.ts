import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { seededRandom } from '../../test/support/seeded-random.ts';
import { ROOMS, type Room } from './rooms.ts';

/** One way to break a file: the text from `start` to `end` becomes `replacement`. */
export type Mutant = {
  readonly room: Room;
  /** From the project's folder. */
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
};

type Listed = Omit<Mutant, 'room' | 'original'>;

const LISTED_BYTES = 256 * 2 ** 20;

/** Everything that Stryker would change in the rooms. Throws where its package is not installed. */
export function allMutants(root: string, rooms: readonly Room[] = ROOMS): readonly Mutant[] {
  const src = path.join(root, 'src');
  const names = readdirSync(src, { recursive: true }).map((name) => String(name).replaceAll(path.sep, '/'));
  return rooms.flatMap((room) => {
    const files = names.filter((name) => name.endsWith('.ts') && !name.includes('.gen.') && room.files.test(name)).map((name) => `src/${name}`);
    const input = files.join('\n');
    const script = path.join(root, 'scripts/mutation-tools/list-mutants.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script], { cwd: root, input, encoding: 'utf8', maxBuffer: LISTED_BYTES });
    if (status !== 0) throw new Error(`mutants can not be listed (npm ci --prefix scripts/mutation-tools): ${stderr.slice(0, 500)}`);
    const texts = new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
    return (JSON.parse(stdout) as Listed[]).map((mutant) => ({ ...mutant, room, original: (texts.get(mutant.file) ?? '').slice(mutant.start, mutant.end) }));
  });
}

/** So many of them that count, each as likely as any other, the same for the same seed; the first of them are a sample as well. One that stops counting makes room for the next, and moves no other. */
export function drawn(mutants: readonly Mutant[], count: number, seed: number, counts: (mutant: Mutant) => boolean = () => true): readonly Mutant[] {
  const random = seededRandom('mutants', seed);
  return mutants
    .map((mutant) => ({ mutant, key: random.unit() }))
    .filter(({ mutant }) => counts(mutant))
    .sort((a, b) => a.key - b.key)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

export function broken(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
