import { expect } from 'chai';
import { residentLimitBytes } from '../../src/config/config.ts';

describe('the limit of resident memory', () => {
  it("is a share of the machine's memory, or of the container's where that is less", () => {
    expect(residentLimitBytes(1000, 0)).to.equal(850);
    expect(residentLimitBytes(1000, 400)).to.equal(340);
    expect(residentLimitBytes(1000, 2 ** 64), 'no limit, as cgroups say it').to.equal(850);
  });
});
