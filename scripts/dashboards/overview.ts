import { ALL, type Dashboard, quantiles, RATE, series, stat, states } from './panel.ts';

const TRADES = 'route=~"quote|swap"';
const OK = { '1': { text: 'yes', color: 'green' }, '0': { text: 'no', color: 'red' } } as const;

export const overview: Dashboard = {
  uid: 'braid-overview',
  title: 'Braid: overview',
  description: 'Is the service well, and if not, which other dashboard says why.',
  rows: [
    {
      title: 'Now',
      panels: [
        stat(
          'Availability, 1 h',
          'percentunit',
          'Answers that were no 5xx, of quotes, swaps and sources. The objective is 99.9%.',
          '1 - job:braid_http_errors:ratio_rate1h{job="$job"} or (1 - 0 * sum by (job) (up{job="$job"}))',
          'available',
        ),
        stat('Requests per second', 'reqps', 'All routes.', `sum(rate(braid_http_requests_total{${ALL}}[${RATE}]))`, 'requests'),
        stat(
          'Shed',
          'percentunit',
          'Trade requests answered 503 overloaded. See the dashboard admission.',
          `sum(rate(braid_quote_outcomes_total{${ALL},outcome="overloaded"}[${RATE}])) / (sum(rate(braid_quote_outcomes_total{${ALL}}[${RATE}])) > 0) or vector(0)`,
          'shed',
          { alarms: { amber: 0.01, red: 0.05 } },
        ),
        stat(
          'Chains stale',
          'short',
          'Hosted chains whose head is older than the freshness bound: they answer 503. See the dashboard indexer.',
          `sum(braid_snapshot_age_seconds{${ALL}} > bool braid_snapshot_age_limit_seconds{${ALL}})`,
          'chains',
          { alarms: { amber: 1, red: 1 } },
        ),
        stat(
          'Solver threads missing',
          'short',
          'Configured threads that do not work. See the dashboard solver.',
          `sum(braid_solver_workers_configured{${ALL}}) - sum(braid_solver_workers{${ALL},state="live"})`,
          'threads',
          { alarms: { amber: 1, red: 1 } },
        ),
        stat(
          'Alerts firing',
          'short',
          'Each has a runbook of its name in grafana/runbooks; its first line says what to do.',
          'count(ALERTS{job="$job",alertstate="firing"}) or vector(0)',
          'alerts',
          { alarms: { amber: 1, red: 1 } },
        ),
      ],
    },
    {
      title: 'Rate, errors, duration',
      panels: [
        series(
          'Answers by status',
          'reqps',
          '2xx is work, 404 a pair without a route, 429 a caller above its rate, 503 overload or a stale chain, 500 a failure of ours.',
          { '{{status}}': `sum by (status) (rate(braid_http_requests_total{${ALL}}[${RATE}]))` },
          { stacked: true },
        ),
        series('Outcomes of trade requests', 'reqps', 'Why requests were refused, by the names of the error table.', {
          '{{outcome}}': `sum by (outcome) (rate(braid_quote_outcomes_total{${ALL}}[${RATE}])) > 0`,
        }),
        series(
          'Latency of quotes and swaps that were answered',
          's',
          'Of 2xx answers. Refusals are below.',
          quantiles('braid_http_request_duration_seconds', `${ALL},${TRADES},status_class="2xx"`, ['route']),
        ),
        series(
          'Latency of refusals',
          's',
          'A refusal costs next to nothing: p99 below 100 ms also in a flood.',
          quantiles('braid_http_request_duration_seconds', `${ALL},status_class=~"4xx|5xx"`, ['status_class']),
        ),
        series('5xx by chain', 'reqps', 'One chain alone: look at its node. All of them: look at the solver.', {
          '{{chain}} {{status}}': `sum by (chain, status) (rate(braid_http_requests_total{${ALL},status=~"5.."}[${RATE}]))`,
        }),
        series('Warnings of swaps', 'ops', 'By code of the interface specification.', {
          '{{code}}': `sum by (code) (rate(braid_swap_warnings_total{${ALL}}[${RATE}]))`,
        }),
        series(
          'Tokens refused',
          'ops',
          'Trades refused for what transfers of a token do, by cause. Unmeasured: nobody could measure it in time; look at the node.',
          {
            '{{cause}}': `sum by (cause) (rate(braid_token_refusals_total{${ALL}}[${RATE}]))`,
          },
        ),
      ],
    },
    {
      title: 'Objective',
      panels: [
        series(
          'How fast the error budget is spent',
          'short',
          '1 spends it exactly within its 30 days. Alerts fire at 14.4 (over 1 h and 5 min) and 6 (over 6 h and 30 min).',
          {
            '5 min': '(job:braid_http_errors:ratio_rate5m{job="$job"} >= 0 or 0 * sum by (job) (up{job="$job"})) / 0.001',
            '1 h': '(job:braid_http_errors:ratio_rate1h{job="$job"} >= 0 or 0 * sum by (job) (up{job="$job"})) / 0.001',
            '6 h': '(job:braid_http_errors:ratio_rate6h{job="$job"} >= 0 or 0 * sum by (job) (up{job="$job"})) / 0.001',
          },
          { alarms: { amber: 6, red: 14.4 } },
        ),
        states(
          'Ready',
          'What /readyz says: threads live, a first snapshot of every chain, not stopping.',
          { expr: `braid_ready{${ALL}}`, legend: '{{instance}}' },
          OK,
          8,
        ),
        states('Reachable', 'Whether Prometheus gets the metrics at all.', { expr: `up{${ALL}}`, legend: '{{instance}}' }, OK, 8),
      ],
    },
    {
      title: 'Process',
      panels: [
        series('Processor', 'short', 'Processors in use. The event loop has one, each solver thread one, each indexer a little.', {
          '{{instance}}': `rate(process_cpu_seconds_total{${ALL}}[${RATE}])`,
        }),
        series(
          'Resident memory',
          'bytes',
          'Steady after warm-up. Growth with a flat heap is memory outside of it. Above the limit the solver thread that holds most is replaced.',
          {
            '{{instance}} resident': `process_resident_memory_bytes{${ALL}}`,
            '{{instance}} heap of the main thread': `nodejs_heap_size_used_bytes{${ALL}}`,
            limit: `min(braid_memory_limit_bytes{${ALL}})`,
          },
        ),
        series('Event loop delay', 's', 'Since the last scrape. p99 above the limit: requests are shed. A high max alone: something blocked the loop once.', {
          '{{instance}} p99': `nodejs_eventloop_lag_p99_seconds{${ALL}}`,
          '{{instance}} max': `nodejs_eventloop_lag_max_seconds{${ALL}}`,
          limit: `max(braid_admission_event_loop_delay_limit_seconds{${ALL}})`,
        }),
        series('Connections', 'short', 'Of the public listener. At the limit new ones are closed at once.', {
          '{{instance}}': `braid_http_connections{${ALL}}`,
          limit: `max(braid_http_connections_limit{${ALL}})`,
        }),
        series('Connections dropped', 'ops', 'Above zero: the limit of connections was reached.', {
          '{{instance}}': `rate(braid_http_connections_dropped_total{${ALL}}[${RATE}])`,
        }),
        series('Log lines lost', 'ops', 'Above zero: what reads standard output stands still.', {
          '{{instance}}': `rate(braid_log_lines_lost_total{${ALL}}[${RATE}])`,
        }),
      ],
    },
  ],
};
