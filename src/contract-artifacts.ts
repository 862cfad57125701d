import { readFileSync } from 'node:fs';
import { projectFile } from './project-file.ts';

/** Where scripts/build-contracts.ts puts what it compiles, in git: nothing is compiled at run time. */
export const ARTIFACTS = 'contracts/artifacts';

/** Reads a compiled contract by its name. What it holds is for the caller to say: see scripts/build-contracts.ts. */
export function readArtifact<Artifact>(name: string): Artifact {
  return JSON.parse(readFileSync(projectFile(`${ARTIFACTS}/${name}.gen.json`), 'utf8')) as Artifact;
}
