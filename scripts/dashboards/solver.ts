import { ALL, CHAIN, type Dashboard, quantiles, RATE, series } from './panel.ts';

export const solver: Dashboard = {
  uid: 'braid-solver',
  title: 'Braid: solver',
  description: 'The solver threads: how busy, how full, what fails.',
  rows: [
    {
      title: 'Utilisation',
      panels: [
        series(
          'Threads busy',
          'percentunit',
          'Share of thread time that went to jobs, and of the places that long jobs may hold (all threads but one) how much they held. One of them above 90% for long: add threads or machines.',
          {
            busy: `sum(rate(braid_solver_busy_seconds_total{${ALL}}[${RATE}])) / sum(braid_solver_workers_configured{${ALL}})`,
            'places of long jobs': `sum(rate(braid_solver_long_busy_seconds_total{${ALL}}[${RATE}])) / sum(braid_solver_long_places{${ALL}})`,
          },
          { alarms: { amber: 0.8, red: 0.9 } },
        ),
        series(
          'Thread time by what it went to',
          'short',
          'Threads. "lost" is time in threads that died or overran, "cancelled" in solves whose client left.',
          { '{{work}} {{outcome}}': `sum by (work, outcome) (rate(braid_solver_busy_seconds_total{${CHAIN}}[${RATE}]))` },
          { stacked: true },
        ),
        series('Rehearsals', 'short', 'Threads. Time that those in reserve spend on what was answered lately, so that they are fast when they take a place.', {
          '{{chain}}': `sum by (chain) (rate(braid_solver_rehearsal_seconds_total{${CHAIN}}[${RATE}]))`,
        }),
        series(
          'Threads',
          'short',
          'Live ones below the configured number: threads died faster than the reserve fills their places. The reserve is loaded and does over what was answered lately, while nobody waits.',
          {
            '{{state}}': `sum by (state) (braid_solver_workers{${ALL}})`,
            'configured limit': `sum(braid_solver_workers_configured{${ALL}})`,
          },
        ),
      ],
    },
    {
      title: 'Saturation',
      panels: [
        series('Queue', 'short', 'Jobs waiting. It sheds before it is full.', {
          waiting: `sum(braid_solver_queue_depth{${ALL}})`,
          'on threads': `sum(braid_solver_inflight{${ALL}})`,
          limit: `sum(braid_solver_queue_limit{${ALL}})`,
        }),
        series('Wait for a thread', 's', 'Microseconds while threads are idle.', quantiles('braid_solver_queue_wait_seconds', CHAIN)),
        series('Expired in the queue', 'ops', 'Jobs whose budget ended before a thread was free: answered as overloaded.', {
          '{{chain}}': `sum by (chain) (rate(braid_solver_expired_total{${CHAIN}}[${RATE}]))`,
        }),
      ],
    },
    {
      title: 'Errors',
      panels: [
        series(
          'Threads replaced',
          'ops',
          '"exit": it died or threw. "oom": its heap was full. "overrun": it did not end in time. "memory": the process grew too large and it held most. "rebuild": replacements did not come up.',
          { '{{reason}}': `sum by (reason) (rate(braid_solver_worker_restarts_total{${ALL}}[${RATE}]))` },
        ),
        series(
          'Places refilled',
          'ops',
          'By when a loaded thread had taken the place of one that ended. "later": there was none in reserve, since threads die faster than others load.',
          {
            'within 250 ms': `sum(rate(braid_solver_refill_seconds_bucket{${ALL},le="0.25"}[${RATE}]))`,
            later: `sum(rate(braid_solver_refill_seconds_count{${ALL}}[${RATE}])) - sum(rate(braid_solver_refill_seconds_bucket{${ALL},le="0.25"}[${RATE}]))`,
          },
          { stacked: true },
        ),
        series(
          'Solves by how they ended',
          'ops',
          '"failed": the thread died under it twice, or overran.',
          { '{{outcome}}': `sum by (outcome) (rate(braid_solver_run_seconds_count{${CHAIN}}[${RATE}]))` },
          { stacked: true },
        ),
        series(
          'Jobs refused for killing threads',
          'ops',
          'Answered 500 without a run, since the very same job ended its thread twice within the last minute.',
          {
            '{{chain}}': `sum by (chain) (rate(braid_solver_poison_refused_total{${CHAIN}}[${RATE}]))`,
          },
        ),
        series('Heap of the largest thread', 'bytes', 'At the limit the thread is ended.', {
          heap: `max(braid_solver_worker_heap_bytes{${ALL}})`,
          limit: `max(braid_solver_worker_heap_limit_bytes{${ALL}})`,
        }),
      ],
    },
    {
      title: 'Market makers',
      panels: [
        series(
          'Hops asked about again',
          'ops',
          'What makers said of the amounts that were chosen. "same", "more" and "less" are next to the estimate: all are answered with what they said. "refused" and "unanswered" are left out of their request.',
          { '{{chain}} {{outcome}}': `sum by (chain, outcome) (rate(braid_requotes_total{${CHAIN}}[${RATE}]))` },
          { stacked: true },
        ),
        series(
          'Time to ask',
          's',
          'Of all hops of a route at once: it is part of every answer through a maker.',
          quantiles('braid_requote_duration_seconds', CHAIN, ['chain']),
        ),
        series('Pairs that are quoted', 'short', 'Below those that are followed: the maker, or its router, gives no quotes.', {
          '{{chain}} quoted': `braid_indexer_pools{${CHAIN},venue="prop_amm"}`,
          '{{chain}} followed': `braid_indexer_followed_pools{${CHAIN},venue="prop_amm"}`,
        }),
      ],
    },
    {
      title: 'Solves',
      panels: [
        series('Run time with a route', 's', 'Of the search and the exact pricing.', quantiles('braid_solver_run_seconds', `${CHAIN},outcome="ok"`, ['mode'])),
        series(
          'Time by phase',
          's',
          'Mean of a solve.',
          {
            '{{phase}}': `sum by (phase) (rate(braid_solver_phase_seconds_sum{${CHAIN}}[${RATE}])) / sum by (phase) (rate(braid_solver_phase_seconds_count{${CHAIN}}[${RATE}]))`,
          },
          { stacked: true },
        ),
        series('Why searches ended', 'ops', '"deadline" and "limit": a longer time would have found more.', {
          '{{reason}}': `sum by (reason) (rate(braid_solver_stopped_total{${CHAIN}}[${RATE}]))`,
        }),
        series('Rounds of column generation', 'short', 'Effort of a search.', quantiles('braid_solver_steps', CHAIN)),
        series('Paths considered', 'short', 'Effort of a search.', quantiles('braid_solver_paths', CHAIN)),
        series('Columns generated', 'short', 'Effort of a search.', quantiles('braid_solver_columns', CHAIN)),
        series(
          'Solves whose model was off by more than 0.1%',
          'percentunit',
          'The float model of a split against the exact amount. Answers are always the exact amount; a model that is off chooses worse routes.',
          {
            '{{mode}}': `1 - sum by (mode) (rate(braid_solver_model_error_ratio_bucket{${CHAIN},le="0.001"}[${RATE}])) / (sum by (mode) (rate(braid_solver_model_error_ratio_count{${CHAIN}}[${RATE}])) > 0) or 0 * sum by (mode) (rate(braid_solver_model_error_ratio_count{${CHAIN}}[${RATE}]))`,
          },
        ),
        series('Gas modes', 'ops', '"blind": without a gas price or a rate of the native token routes are not chosen net of gas.', {
          '{{gas_mode}}': `sum by (gas_mode) (rate(braid_solver_run_seconds_count{${CHAIN},outcome="ok"}[${RATE}]))`,
        }),
      ],
    },
  ],
};
