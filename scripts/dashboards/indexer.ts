import { ALL, CHAIN, type Dashboard, quantiles, RATE, series, stat, states } from './panel.ts';

const bad = { '0': { text: 'fresh', color: 'green' }, '1': { text: 'stale', color: 'red' } } as const;

const behindHead = (block: string) => `braid_indexer_head_block_number{${CHAIN}} - on (job, instance, chain) ${block}{${CHAIN}}`;

export const indexer: Dashboard = {
  uid: 'braid-indexer',
  title: 'Braid: indexer',
  description: 'From the chain to the solver: head, indexed, published, solved.',
  rows: [
    {
      title: '$chain: head → indexed → published → solved',
      repeat: 'chain',
      panels: [
        stat(
          'Head of the node',
          'none',
          'The last that it showed. Stands still: the node does, or is out of reach.',
          `braid_indexer_head_block_number{${CHAIN}}`,
          '{{instance}}',
          { width: 6 },
        ),
        stat(
          'Indexed',
          'none',
          'Taken in, published or not. Behind the head: the logs can not be read, or not as fast as blocks come.',
          `braid_indexer_block_number{${CHAIN}}`,
          '{{instance}}',
          { width: 6 },
        ),
        stat(
          'Published',
          'none',
          'What solves go by from here on. Behind what is indexed: readers hold every slot, or a start is not done.',
          `braid_snapshot_block_number{${CHAIN}}`,
          '{{instance}}',
          { width: 6 },
        ),
        stat(
          'Solved',
          'none',
          'What the last solve went by. Behind what is published: nobody asks, or solves take long.',
          `braid_solver_block_number{${CHAIN}}`,
          '{{instance}}',
          { width: 6 },
        ),
        states(
          'Freshness',
          'A chain whose head is older than its bound answers 503 and nothing else does.',
          { expr: `braid_snapshot_age_seconds{${CHAIN}} > bool braid_snapshot_age_limit_seconds{${CHAIN}}`, legend: '{{chain}} {{instance}}' },
          bad,
        ),
        series(
          'Blocks behind the head',
          'short',
          'Where the way of a block ends. A node that stands still itself shows 0 everywhere: see the age of the head. "solved" rises while nobody asks.',
          {
            '{{instance}} indexed': behindHead('braid_indexer_block_number'),
            '{{instance}} published': behindHead('braid_snapshot_block_number'),
            '{{instance}} solved': behindHead('braid_solver_block_number'),
          },
          { width: 12 },
        ),
        series(
          'Head lag',
          's',
          'From the timestamp of a block to its publication. Steady at minutes, above or below 0, while blocks come in: the clock of this machine is wrong.',
          { '{{chain}}': `braid_indexer_head_lag_seconds{${CHAIN}}` },
          { width: 6 },
        ),
        series(
          'Age of the published head',
          's',
          'By whichever clock shows more. Rises in a line while nothing is published.',
          { '{{chain}}': `braid_snapshot_age_seconds{${CHAIN}}`, '{{chain}} limit': `braid_snapshot_age_limit_seconds{${CHAIN}}` },
          { width: 6 },
        ),
        series(
          'Published block',
          'none',
          'Stands still: the node or the indexer does. Goes back: a reorg.',
          { '{{chain}} {{instance}}': `braid_snapshot_block_number{${CHAIN}}` },
          { width: 6 },
        ),
        series('Solves', 'ops', 'Of that chain.', { '{{chain}}': `sum by (chain) (rate(braid_solver_run_seconds_count{${CHAIN}}[${RATE}]))` }, { width: 6 }),
      ],
    },
    {
      title: 'The node',
      panels: [
        series('Calls by outcome', 'ops', 'By endpoint, in the order of rpcUrls, from 0. Errors move the calls on to the next one.', {
          '{{chain}} #{{endpoint}} {{outcome}}': `sum by (chain, endpoint, outcome) (rate(braid_rpc_requests_total{${CHAIN}}[${RATE}]))`,
        }),
        series('Failed calls by method', 'ops', 'Errors, garbage and timeouts.', {
          '{{method}} {{outcome}}': `sum by (method, outcome) (rate(braid_rpc_requests_total{${CHAIN},outcome!="ok"}[${RATE}]))`,
        }),
        states(
          'Endpoints left',
          'By their place in rpcUrls, from 0: "behind" lacks blocks that others have, "slow" takes three times as long for a head as others do, "fault" fails, "limited" asked for a pause, "foreign" serves another chain, "doubted" shows what leads nowhere or what most others deny. The first that is not left is followed.',
          { expr: `braid_rpc_endpoint_left{${CHAIN}}`, legend: '{{chain}} #{{endpoint}} {{reason}}' },
          { '0': { text: 'no', color: 'green' }, '1': { text: 'left', color: 'red' } },
          12,
        ),
        states(
          'Endpoint followed',
          'Whose head is followed.',
          { expr: `braid_rpc_endpoint_followed{${CHAIN}}`, legend: '{{chain}} #{{endpoint}}' },
          { '0': { text: 'no', color: 'yellow' }, '1': { text: 'followed', color: 'green' } },
          12,
        ),
        series(
          'Heads announced',
          'ops',
          'Over sockets, by endpoint; none over HTTP. None over a socket while blocks come: it is silent, and the head is looked at as over HTTP.',
          {
            '{{chain}} #{{endpoint}}': `rate(braid_rpc_heads_announced_total{${CHAIN}}[${RATE}])`,
          },
        ),
        series('Time of calls', 's', 'Of all outcomes.', quantiles('braid_rpc_request_duration_seconds', CHAIN, ['chain', 'endpoint'])),
      ],
    },
    {
      title: 'Indexing',
      panels: [
        series('Logs applied', 'ops', 'By venue folder. None for long while blocks come: is the deployment right?', {
          '{{chain}} {{venue}}': `sum by (chain, venue) (rate(braid_indexer_logs_total{${CHAIN}}[${RATE}]))`,
        }),
        series(
          'Routable pools',
          'short',
          'By venue, beside those that are followed: the rest has no liquidity, is paused, waits to be read, or has a hook that nothing is known of. A sudden fall is a deployment that is read wrongly, or a full arena.',
          {
            '{{chain}} {{venue}}': `braid_indexer_pools{${CHAIN}}`,
            '{{chain}} {{venue}} followed': `braid_indexer_followed_pools{${CHAIN}}`,
            '{{chain}} limit': `braid_indexer_pools_limit{${CHAIN}}`,
          },
        ),
        series(
          'Left out',
          'ops',
          '"arena-full": no memory for a pool. "corrupt-pool": its state can not be priced. "skipped-publish": readers held every slot. "unanswered": the node could not be asked about a pool or token. "undescribed": a factory announced a pool of which its own contract does not tell what it is. "unaudited" and "unread-feeds": a comparison with the chain, or a reading of price feeds, that failed. "audit-bug" is one of ours. "unread-block": a block without logs was gone around. "denied-head": most endpoints had another block. "unknown-emitter" is harmless.',
          { '{{chain}} {{reason}}': `sum by (chain, reason) (rate(braid_indexer_ignored_total{${CHAIN}}[${RATE}]))` },
        ),
        series('Switched off', 'short', 'Labels and pools that the operator has switched off: GET /switches on the internal port names them.', {
          '{{chain}} {{kind}}': `braid_switched_off{${CHAIN}}`,
          '{{chain}} limit': `braid_switched_off_limit{${CHAIN}}`,
        }),
        series('Audit mismatches', 'ops', 'Pools that differed from the chain: they are absent until read again. Never expected.', {
          '{{chain}} {{venue}}': `sum by (chain, venue) (rate(braid_indexer_audit_mismatches_total{${CHAIN}}[${RATE}]))`,
        }),
        series('Reorgs', 'ops', 'Rolled back exactly.', { '{{chain}}': `sum by (chain) (rate(braid_indexer_reorgs_total{${CHAIN}}[${RATE}]))` }),
        series('Reorgs by depth', 'ops', 'Reorgs of at most so many blocks; the difference between two lines is what lies between them.', {
          '≤ {{le}}': `sum by (le) (rate(braid_indexer_reorg_depth_bucket{${CHAIN}}[${RATE}]))`,
        }),
        series(
          'Waits to be read',
          'short',
          'What the node could not be asked about yet: such pools are absent. Asked about again with each block, and each second.',
          {
            '{{chain}} {{what}}': `braid_indexer_waiting{${CHAIN}}`,
          },
        ),
        series('Pools without room', 'short', 'In the snapshot. They come in as others leave.', { '{{chain}}': `braid_indexer_unplaced_pools{${CHAIN}}` }),
        series('Pools too small', 'short', 'Followed and not solved with: they hold less than minimumLiquidity of the chain. Each comes in when it grows.', {
          '{{chain}}': `braid_indexer_small_pools{${CHAIN}}`,
        }),
        series(
          'Block that can not be read',
          's',
          'For how long the logs of the block after the tip could not be read. After a minute the chain is read anew from above it.',
          {
            '{{chain}}': `braid_indexer_unread_block_seconds{${CHAIN}}`,
          },
        ),
        series('Blocks not audited', 'short', 'Since the oldest change that was not compared with the chain yet.', {
          '{{chain}}': `braid_indexer_unaudited_blocks{${CHAIN}}`,
        }),
        series(
          'Chains read anew',
          'short',
          'Because their blocks were replaced further back than can be undone; "orphaned" is 1 until that is done, and the chain answers 503.',
          {
            '{{chain}}': `increase(braid_indexer_rebuilds_total{${CHAIN}}[${RATE}])`,
            '{{chain}} orphaned': `braid_snapshot_orphaned{${CHAIN}}`,
          },
        ),
        series('Blocks backfilled', 'ops', 'Read after a gap.', {
          '{{chain}}': `sum by (chain) (rate(braid_indexer_backfilled_blocks_total{${CHAIN}}[${RATE}]))`,
        }),
        series('Indexer threads started again', 'ops', 'Readers keep what is published meanwhile.', {
          '{{chain}}': `sum by (chain) (rate(braid_indexer_restarts_total{${CHAIN}}[${RATE}]))`,
        }),
      ],
    },
    {
      title: 'Cold start',
      panels: [
        series(
          'How far it is',
          'percentunit',
          'Of the last one. "first-blocks": questions in which blocks contracts were made; "logs": blocks whose announcements are read; "pairs": pairs of listed tokens that factories are asked for, where the node gives no ranges of logs; "states": pools read.',
          { '{{chain}} {{phase}}': `braid_indexer_start_progress_ratio{${CHAIN}}` },
        ),
      ],
    },
    {
      title: 'Checkpoints',
      panels: [
        series('Age of the last checkpoint', 's', 'A restart fills in what came since, and 64 blocks more. Nothing: no checkpointDirectory is configured.', {
          '{{chain}} {{instance}}': `time() - braid_checkpoint_written_timestamp_seconds{${CHAIN}}`,
        }),
        series(
          'Checkpoints not written',
          'ops',
          '"disk": the directory can not be written to. "too-large": it would be above the limit. The one before it stays.',
          {
            '{{chain}} {{outcome}}': `sum by (chain, outcome) (rate(braid_checkpoint_writes_total{${CHAIN},outcome!="written"}[${RATE}]))`,
          },
        ),
        series('Size of the last checkpoint', 'bytes', 'Of one chain.', {
          '{{chain}}': `braid_checkpoint_bytes{${CHAIN}}`,
          '{{chain}} limit': `braid_checkpoint_bytes_limit{${CHAIN}}`,
        }),
        series(
          'Time of the last one',
          's',
          'As a whole, beside the following; and its longest part, in which the indexer thread did nothing else: so much later a block can be for it.',
          {
            '{{chain}}': `braid_checkpoint_last_write_seconds{${CHAIN}}`,
            '{{chain}} longest part': `braid_checkpoint_last_part_seconds{${CHAIN}}`,
          },
        ),
        series(
          'Starts by checkpoint',
          'short',
          '"resumed": went on from one. "pools-kept": it was far behind, pools were read again. Else the chain was read anew: "absent", or why it was refused; the log says more.',
          { '{{chain}} {{outcome}}': `braid_checkpoint_reads_total{${CHAIN}}` },
        ),
        series('Block of the last checkpoint', 'none', 'Beside the published one.', {
          '{{chain}}': `braid_checkpoint_block_number{${CHAIN}}`,
          '{{chain}} published': `braid_snapshot_block_number{${CHAIN}}`,
        }),
      ],
    },
    {
      title: 'Prices',
      panels: [
        series(
          'Tokens with a price',
          'short',
          'In USD. A fall is an anchor that is gone: without one there are no prices, hop depth is 3 by default and no swap warns of its impact.',
          { '{{chain}}': `braid_priced_tokens{${CHAIN}}` },
        ),
        series('Price feeds', 'short', 'By what became of their last answers. "unread": the node was never asked with success.', {
          '{{chain}} {{state}}': `braid_price_feeds{${CHAIN}}`,
        }),
        series('Stablecoins', 'short', 'Without a feed: held to be a dollar, or lost, since pools to tokens with a feed say otherwise.', {
          '{{chain}} {{state}}': `braid_price_stablecoins{${CHAIN}}`,
        }),
        series(
          'Tokens that price others',
          'short',
          'Those on the chain’s list, and those that prices start from. "barred": what was found of its transfers, so that its pools say nothing of other tokens.',
          { '{{chain}} {{state}}': `braid_pricing_tokens{${CHAIN}}` },
        ),
        series('Age of the oldest answer used', 's', 'Of the price feeds, by the time of the block.', {
          '{{chain}}': `braid_price_feed_age_seconds{${CHAIN}}`,
        }),
        series('Time to price', 's', 'Of an epoch: what changed, not all that there is.', quantiles('braid_pricing_seconds', CHAIN, ['chain'])),
      ],
    },
    {
      title: 'Transfers of tokens',
      panels: [
        series(
          'Tokens measured',
          'ops',
          'By what was found. "no-answer": the node could not be asked, which says nothing of a token. "untraded": no pool has it.',
          {
            '{{chain}} {{outcome}} {{for}}': `sum by (chain, outcome, for) (rate(braid_measuring_total{${CHAIN}}[${RATE}]))`,
          },
        ),
        series(
          'Time to measure a token',
          's',
          'At each of its largest pools, in calls beside each other.',
          quantiles('braid_measuring_duration_seconds', CHAIN, ['chain']),
        ),
        series(
          'Tokens measured per block',
          'short',
          'Each costs two eth_calls of at most 25 million gas for each of its pools, of which eight at most are measured at. At most 16 ahead, and as many in a second where blocks are short; the rest is what requests wait for.',
          {
            '{{chain}} {{for}}': `sum by (chain, for) (rate(braid_measuring_total{${CHAIN}}[${RATE}])) / on (chain) group_left () clamp_min(max by (chain) (deriv(braid_snapshot_block_number{${CHAIN}}[${RATE}])), 0.001)`,
          },
        ),
        series(
          'Pools of the tokens measured',
          'ops',
          'By whether they were measured at. What is left out is shallower than the eight deepest, or has next to nothing of the token: routes do not take it.',
          { '{{chain}} {{pools}}': `sum by (chain, pools) (rate(braid_measuring_pools_total{${CHAIN}}[${RATE}]))` },
        ),
        series('Verdicts kept', 'short', '"unmeasurable" for all: the node does not suppose what it is told to. Then only well-known tokens are traded.', {
          '{{chain}} {{verdict}}': `braid_token_verdicts{${CHAIN}}`,
        }),
        series(
          'Oldest verdict that is to be fresh',
          'short',
          'In blocks. Above verdictBlocks of the chain (by default one) requests for some of what is asked for most wait for a probe.',
          {
            '{{chain}}': `braid_token_verdicts_oldest_blocks{${CHAIN}}`,
          },
        ),
        series(
          'Hot tokens',
          'short',
          'Asked for in the last minute, when the block came. Those with an old verdict are measured when somebody waits: more are hot than are measured ahead.',
          {
            '{{chain}} {{verdict}}': `braid_hot_tokens{${CHAIN}}`,
          },
        ),
        series('Waiting for a probe', 'short', 'Clients by the tokens that each waits for. At the limit requests answer overloaded.', {
          '{{chain}}': `braid_measuring_waiting{${CHAIN}}`,
          '{{chain}} limit': `braid_measuring_waiting_limit{${CHAIN}}`,
          '{{chain}} refused/s': `rate(braid_measuring_refused_total{${CHAIN}}[${RATE}])`,
        }),
      ],
    },
    {
      title: 'Snapshot',
      panels: [
        series('Time to publish', 's', 'A tenth of a millisecond is normal.', quantiles('braid_snapshot_publish_seconds', CHAIN, ['chain'])),
        series('Memory', 'bytes', 'When it is full new pools are refused; nothing else changes.', {
          '{{chain}} used': `braid_snapshot_used_bytes{${CHAIN}}`,
          '{{chain}} limit': `braid_snapshot_capacity_bytes{${CHAIN}}`,
        }),
        series('Pinned slots', 'short', 'Directories that readers hold.', {
          '{{chain}}': `braid_snapshot_pinned_slots{${CHAIN}}`,
          '{{chain}} limit': `braid_snapshot_slots_limit{${CHAIN}}`,
        }),
        series('Pins reclaimed', 'ops', 'From threads that ended while they read.', {
          '{{instance}}': `rate(braid_snapshot_reclaimed_pins_total{${ALL}}[${RATE}])`,
        }),
      ],
    },
  ],
};
