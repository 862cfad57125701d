import { ALL, type Dashboard, quantiles, RATE, series, stat } from './panel.ts';

export const admission: Dashboard = {
  uid: 'braid-admission',
  title: 'Braid: admission',
  description: 'Who is let in: rate budgets, room in the solver, what is shed and why.',
  rows: [
    {
      title: 'Room in the solver',
      panels: [
        series(
          'Decisions',
          'reqps',
          '"wait-too-long": the queue would take longer than the request has. "event-loop-late": the process is short of processor. "client-in-flight": one client has too many at once.',
          { '{{decision}}': `sum by (decision) (rate(braid_admission_decisions_total{${ALL}}[${RATE}]))` },
          { stacked: true },
        ),
        series(
          'Estimated wait',
          's',
          'The wait of the last in the queue. A request is shed by its own estimate, which is less where its client has used less than others.',
          {
            '{{instance}}': `braid_admission_estimated_wait_seconds{${ALL}}`,
            limit: `max(braid_admission_wait_limit_seconds{${ALL}})`,
          },
        ),
        series(
          'Event loop delay that admission judges by',
          's',
          '99th percentile of the current window, and beside it the longest since the last scrape: one block sheds nobody.',
          {
            '{{instance}}': `braid_admission_event_loop_delay_seconds{${ALL}}`,
            '{{instance}} max': `nodejs_eventloop_lag_max_seconds{${ALL}}`,
            limit: `max(braid_admission_event_loop_delay_limit_seconds{${ALL}})`,
          },
        ),
        series(
          'Goodput and shed',
          'reqps',
          'Goodput stays at capacity however much is asked.',
          {
            served: `sum(rate(braid_quote_outcomes_total{${ALL},outcome=~"ok|no-route"}[${RATE}]))`,
            shed: `sum(rate(braid_quote_outcomes_total{${ALL},outcome="overloaded"}[${RATE}]))`,
          },
          { stacked: true },
        ),
        series('Shed by chain', 'percentunit', 'Share of the trade requests of each chain.', {
          '{{chain}}': `sum by (chain) (rate(braid_quote_outcomes_total{${ALL},outcome="overloaded"}[${RATE}])) / (sum by (chain) (rate(braid_quote_outcomes_total{${ALL}}[${RATE}])) > 0)`,
        }),
        series(
          'What a refusal costs',
          's',
          'From arrival to answer.',
          quantiles('braid_http_request_duration_seconds', `${ALL},route=~"quote|swap",status_class="5xx"`),
        ),
      ],
    },
    {
      title: 'Rate budgets',
      panels: [
        series('Decisions', 'reqps', '"refunded" tokens are those of shed requests: a caller never pays for them.', {
          '{{identity}} {{decision}}': `sum by (identity, decision) (rate(braid_metering_decisions_total{${ALL}}[${RATE}]))`,
        }),
        series('Buckets', 'short', 'Addresses and keys whose budget is not full. At the limit the fullest are forgotten.', {
          '{{instance}}': `braid_metering_buckets{${ALL}}`,
          limit: `max(braid_metering_buckets_limit{${ALL}})`,
        }),
        series('Clients with a request in flight', 'short', 'Each is bounded by itself. At the limit further clients are refused as overloaded.', {
          '{{instance}}': `braid_admission_inflight_clients{${ALL}}`,
          limit: `max(braid_admission_inflight_clients_limit{${ALL}})`,
        }),
        series('Decisions made without the shared store', 'ops', 'Budgets are local meanwhile: a caller may get its rate once per instance.', {
          '{{instance}}': `rate(braid_rate_store_fallbacks_total{${ALL}}[${RATE}])`,
        }),
      ],
    },
    {
      title: 'Keys',
      panels: [
        stat('Keys in force', 'short', 'Registered and not revoked.', `max(braid_metering_keys{${ALL}})`, 'keys'),
        stat(
          'Instances whose key file is not usable',
          'short',
          'They go on with the keys they had: revocations do not arrive.',
          `count(braid_metering_keys_last_reload_successful{${ALL}} == 0) or vector(0)`,
          'instances',
          { alarms: { amber: 1, red: 1 } },
        ),
        stat(
          'Keys read',
          's',
          'How long ago the keys in force were read, on the instance where it is longest ago.',
          `max(time() - braid_metering_keys_last_reload_success_timestamp_seconds{${ALL}})`,
          'ago',
        ),
      ],
    },
  ],
};
