module.exports = {
  braid: {
    input: 'document.json',
    output: { target: 'generated/orval/braid.ts', client: 'fetch', baseUrl: { getBaseUrlFromSpecification: true } },
  },
};
