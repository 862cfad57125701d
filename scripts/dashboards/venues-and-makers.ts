import { CHAIN, type Dashboard, quantiles, RATE, series } from './panel.ts';

export const venuesAndMakers: Dashboard = {
  uid: 'braid-venues-and-makers',
  title: 'Braid: venues and makers',
  description:
    'What each venue gives to route through; and those who price, sign and attest off the chain: whether they answer, whether they sign, and whether they keep to what they indicated.',
  rows: [
    {
      title: 'Venues',
      panels: [
        series(
          'Routable pools by venue',
          'short',
          'What solves go by. A venue that falls to 0: its deployment is read wrongly, it is paused, or it is switched off.',
          { '{{chain}} {{venue}}': `max by (chain, venue) (braid_indexer_pools{${CHAIN}})` },
        ),
        series(
          'Audit mismatches by venue',
          'ops',
          'Pools that differed from the chain: they are absent until read again. Never expected; of one venue, switch that off.',
          {
            '{{chain}} {{venue}}': `sum by (chain, venue) (rate(braid_indexer_audit_mismatches_total{${CHAIN}}[${RATE}]))`,
          },
        ),
        series('Venues switched off', 'short', 'Labels that the operator has switched off: GET /switches on the internal port names them.', {
          '{{chain}} {{instance}}': `braid_switched_off{${CHAIN},kind="venue"}`,
          '{{chain}} limit': `max by (chain) (braid_switched_off_limit{${CHAIN}})`,
        }),
      ],
    },
    {
      title: 'Prices',
      panels: [
        series(
          'Askings',
          'ops',
          'Once a second for each maker where all is well. What it says counts for five. Issuers of real-world assets every two seconds; "closed" is a market that is.',
          {
            '{{maker}} {{outcome}}': `sum by (maker, outcome) (rate(braid_maker_prices_total{${CHAIN}}[${RATE}]))`,
          },
        ),
        series('Pairs that are none', 'ops', 'Left out of what a maker says, since they can not be read: its side has changed, or is wrong.', {
          '{{maker}}': `sum by (maker) (rate(braid_maker_malformed_pairs_total{${CHAIN}}[${RATE}]))`,
        }),
        series('Left alone', 'none', '1 while a maker is asked nothing and routed through by nobody, since it is busy or failed too often.', {
          '{{maker}}': `max by (maker) (braid_maker_throttled{${CHAIN}})`,
        }),
      ],
    },
    {
      title: 'Registry',
      panels: [
        series(
          'Listed',
          'none',
          '1 while the registry on the chain lists a maker that is found by it. At 0 it is asked nothing, and routed through by nobody.',
          {
            '{{maker}}': `max by (maker) (braid_maker_listed{${CHAIN}})`,
          },
        ),
        series(
          'Entries',
          'short',
          'Of the registry. "foreign" are of others than the configuration names, which is what most are; "contested", two list the origin of one maker whose staker is not named, and it is not served; "malformed" and "beyond" serve nobody.',
          { '{{outcome}}': `max by (outcome) (braid_maker_registry_entries{${CHAIN}})` },
        ),
        series('Readings', 'ops', 'In the blocks that change it, and every hundred blocks. While they fail, what it said last holds for five minutes.', {
          '{{outcome}}': `sum by (outcome) (rate(braid_maker_registry_reads_total{${CHAIN}}[${RATE}]))`,
        }),
      ],
    },
    {
      title: 'Orders',
      panels: [
        series('Firm-ups', 'ops', 'Hops of swaps that a maker, or an issuer, was to sign. All but "ok" cost the swap its makers and a solve.', {
          '{{maker}} {{outcome}}': `sum by (maker, outcome) (rate(braid_rfq_firmup_seconds_count{${CHAIN}}[${RATE}]))`,
        }),
        series('Time to sign', 's', 'With the checks of the order. At most two seconds.', quantiles('braid_rfq_firmup_seconds', CHAIN, ['maker'])),
        series(
          'Worse than indicated',
          'percentunit',
          'Share of the orders, those too much worse to be taken among them, that give more than 0.1% less than was planned.',
          {
            '{{maker}}': `1 - sum by (maker) (rate(braid_rfq_firmup_shortfall_ratio_bucket{${CHAIN},le="0.001"}[${RATE}])) / (sum by (maker) (rate(braid_rfq_firmup_shortfall_ratio_count{${CHAIN}}[${RATE}])) > 0)`,
          },
        ),
      ],
    },
    {
      title: 'Attestations',
      panels: [
        series(
          'Asked for',
          'ops',
          'Hops of swaps by pools whose hook has to be shown one. All but "ok" cost the swap what is priced off the chain, and a solve.',
          {
            '{{attester}} {{outcome}}': `sum by (attester, outcome) (rate(braid_attestation_seconds_count{${CHAIN}}[${RATE}]))`,
          },
        ),
        series(
          'Asked in each block',
          'ops',
          'Once in each block, for the attestation that a transaction is tried with in the newest block. Swaps do without where it is not had.',
          {
            '{{attester}} {{outcome}}': `sum by (attester, outcome) (rate(braid_attestation_polls_total{${CHAIN}}[${RATE}]))`,
          },
        ),
        series(
          'Time to attest',
          's',
          'With the checks of what was attested. At most two seconds.',
          quantiles('braid_attestation_seconds', CHAIN, ['attester']),
        ),
        series(
          'Attesters left alone',
          'none',
          '1 while an attester is asked nothing and its pools are routed through by nobody, since it is busy or failed too often.',
          {
            '{{attester}}': `max by (attester) (braid_attester_throttled{${CHAIN}})`,
          },
        ),
      ],
    },
  ],
};
