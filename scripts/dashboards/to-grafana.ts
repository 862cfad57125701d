import type { Dashboard, Panel } from './panel.ts';

const DATASOURCE = { type: 'prometheus', uid: '$datasource' };
const HEIGHT = 8;
const STAT_HEIGHT = 4;
const ROW_WIDTH = 24;

/** A dashboard as Grafana provisions it (dashboard schema version 39: Grafana 10.4 and later take it as it is). */
export function toGrafana(dashboard: Dashboard): unknown {
  const panels: unknown[] = [];
  let y = 0;
  for (const row of dashboard.rows) {
    const repeat = row.repeat === undefined ? {} : { repeat: row.repeat };
    panels.push({ id: panels.length + 1, type: 'row', title: row.title, ...repeat, collapsed: false, gridPos: { x: 0, y, w: ROW_WIDTH, h: 1 }, panels: [] });
    y++;
    let x = 0;
    let tallest = 0;
    for (const panel of row.panels) {
      const h = panel.kind === 'stat' ? STAT_HEIGHT : HEIGHT;
      if (x + panel.width > ROW_WIDTH) {
        y += tallest;
        x = 0;
        tallest = 0;
      }
      panels.push({ id: panels.length + 1, ...panelOf(panel), gridPos: { x, y, w: panel.width, h } });
      x += panel.width;
      tallest = Math.max(tallest, h);
    }
    y += tallest;
  }
  const { uid, title, description } = dashboard;
  return {
    uid,
    title,
    description: `${description} Generated: change scripts/dashboards and run npm run dashboards.`,
    tags: ['braid'],
    editable: false,
    graphTooltip: 1,
    schemaVersion: 39,
    refresh: '10s',
    time: { from: 'now-30m', to: 'now' },
    timezone: 'browser',
    links: [
      {
        title: 'Braid',
        type: 'dashboards',
        tags: ['braid'],
        asDropdown: false,
        icon: 'external link',
        includeVars: true,
        keepTime: true,
        targetBlank: false,
        tooltip: '',
        url: '',
      },
    ],
    annotations: { list: [] },
    templating: { list: VARIABLES },
    panels,
  };
}

const label = (metric: string, name: string) => ({
  datasource: DATASOURCE,
  query: { query: `label_values(${metric}, ${name})`, refId: name },
  refresh: 2,
  sort: 1,
});
const several = { multi: true, includeAll: true, allValue: '.*' };

const VARIABLES = [
  { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', hide: 0, refresh: 1 },
  { name: 'job', label: 'Job', type: 'query', ...label('braid_build_info', 'job') },
  { name: 'instance', label: 'Instance', type: 'query', ...several, ...label('braid_build_info{job="$job"}', 'instance') },
  { name: 'chain', label: 'Chain', type: 'query', ...several, ...label('braid_snapshot_age_limit_seconds{job="$job"}', 'chain') },
];

function panelOf(panel: Panel): Record<string, unknown> {
  const { kind, title, description, queries } = panel;
  return {
    title,
    description,
    type: kind === 'series' ? 'timeseries' : kind === 'stat' ? 'stat' : 'state-timeline',
    datasource: DATASOURCE,
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource: DATASOURCE,
      expr,
      legendFormat: legend,
      ...(kind === 'stat' ? { instant: true } : { range: true }),
    })),
    fieldConfig: { defaults: { ...defaultsOf(panel), unit: panel.unit }, overrides: kind === 'series' ? LIMITS_DASHED : [] },
    options: optionsOf(panel),
  };
}

/** What is called a limit is drawn as one. */
const LIMITS_DASHED = [
  {
    matcher: { id: 'byRegexp', options: '/limit/' },
    properties: [
      { id: 'custom.lineStyle', value: { fill: 'dash', dash: [8, 8] } },
      { id: 'custom.fillOpacity', value: 0 },
      { id: 'color', value: { mode: 'fixed', fixedColor: 'red' } },
    ],
  },
];

function defaultsOf({ kind, stacked, alarms, states }: Panel): Record<string, unknown> {
  const steps = [
    { color: 'green', value: null },
    ...(alarms === null
      ? []
      : [
          { color: 'yellow', value: alarms.amber },
          { color: 'red', value: alarms.red },
        ]),
  ];
  const thresholds = { mode: 'absolute', steps };
  if (kind === 'stat') return { thresholds, color: { mode: 'thresholds' }, mappings: [] };
  if (kind === 'states') {
    const options = Object.fromEntries(Object.entries(states ?? {}).map(([value, { text, color }], index) => [value, { text, color, index }]));
    return { mappings: [{ type: 'value', options }], color: { mode: 'fixed', fixedColor: 'text' }, custom: { fillOpacity: 80, lineWidth: 0 } };
  }
  return {
    min: 0,
    color: { mode: 'palette-classic' },
    thresholds,
    custom: {
      drawStyle: 'line',
      lineInterpolation: 'linear',
      lineWidth: 1,
      fillOpacity: stacked ? 40 : 10,
      showPoints: 'never',
      spanNulls: false,
      stacking: { mode: stacked ? 'normal' : 'none', group: 'A' },
      thresholdsStyle: { mode: alarms === null ? 'off' : 'line' },
    },
  };
}

function optionsOf({ kind }: Panel): Record<string, unknown> {
  const legend = { displayMode: 'list', placement: 'bottom', showLegend: true, calcs: [] };
  if (kind === 'series') return { legend, tooltip: { mode: 'multi', sort: 'desc' } };
  if (kind === 'states') return { legend, mergeValues: true, showValue: 'auto', rowHeight: 0.9, alignValue: 'left', tooltip: { mode: 'single', sort: 'none' } };
  return {
    reduceOptions: { values: false, calcs: ['lastNotNull'], fields: '' },
    graphMode: 'none',
    colorMode: 'background',
    justifyMode: 'auto',
    textMode: 'auto',
    orientation: 'auto',
    wideLayout: true,
    showPercentChange: false,
    percentChangeColorMode: 'standard',
  };
}
