import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../support/source-files.ts';

/** A query of a panel as the dashboards' JSON has it. */
export type PanelQuery = { readonly dashboard: string; readonly panel: string; readonly expr: string };

type PanelJson = { readonly title: string; readonly type: string; readonly repeat?: string; readonly targets?: readonly { readonly expr: string }[] };
type DashboardJson = { readonly title: string; readonly uid: string; readonly panels: readonly PanelJson[]; readonly templating: unknown };

export function dashboards(): readonly DashboardJson[] {
  return filesOf('grafana/dashboards', '.json').map(({ text }) => JSON.parse(text) as DashboardJson);
}

export function panelQueries(): readonly PanelQuery[] {
  return dashboards().flatMap(({ title, panels }) =>
    panels.flatMap((panel) => (panel.targets ?? []).map(({ expr }) => ({ dashboard: title, panel: panel.title, expr }))),
  );
}

/** What Grafana puts in the place of its variables with everything chosen. Scrapes come every second in tests. */
export function withVariables(expr: string): string {
  return expr.replaceAll('$__rate_interval', '30s').replaceAll('$job', 'braid').replaceAll('$instance', '.*').replaceAll('$chain', '.*');
}

/** The queries of one panel. Throws where there is none of that name. */
export function queriesOf(dashboard: string, panel: string): readonly string[] {
  const found = panelQueries().filter((query) => query.dashboard === dashboard && query.panel === panel);
  if (found.length === 0) throw new Error(`no panel ${dashboard} / ${panel}`);
  return found.map(({ expr }) => withVariables(expr));
}

/** What a runbook says first: what to do. */
export function firstLineOf(runbook: string): string {
  return readFileSync(path.join(ROOT, 'grafana/runbooks', `${runbook}.md`), 'utf8').split('\n')[0] ?? '';
}

/** Text of the files of a folder, by name. */
export function filesOf(folder: string, extension: string): readonly { readonly name: string; readonly text: string }[] {
  return readdirSync(path.join(ROOT, folder))
    .filter((name) => name.endsWith(extension))
    .map((name) => ({ name, text: readFileSync(path.join(ROOT, folder, name), 'utf8') }));
}
