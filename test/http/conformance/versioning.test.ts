import { expect } from 'chai';
import { expectPlainRefusal } from '../support/checks.ts';
import { useService } from './support/service.ts';
import { queryOf, sellOf } from './support/trades.ts';

describe('Versioning', () => {
  const service = useService();

  it('2. Trade and sources routes carry the path prefix `/v1`. `/healthz` is unversioned', async () => {
    const query = queryOf(sellOf(service()));
    const { client, chain } = service();
    expect((await client.ask(`/v1/quote?${query}`)).status).to.equal(200);
    expect((await client.ask(`/v1/${chain}/sources`)).status).to.equal(200);
    for (const path of [`/quote?${query}`, `/v2/quote?${query}`, `/swap?${query}`, `/${chain}/sources`, '/v1/healthz'])
      await expectPlainRefusal(await client.ask(path), 404);
  });
});
