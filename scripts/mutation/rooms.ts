/** What is broken, and which tests should notice: first those of the room, then, for what they let through, those that use it. */
export type Room = {
  readonly name: string;
  /** Files below src/, by pattern. */
  readonly files: RegExp;
  readonly tests: readonly string[];
  readonly wider: readonly string[];
};

const HTTP = ['test/http/*.test.ts', 'test/e2e/quotes.test.ts', 'test/e2e/swaps.test.ts'];

/** The TypeScript that money goes through. */
export const ROOMS: readonly Room[] = [
  { name: 'quoting', files: /^quoting\//, tests: ['test/quoting/*.test.ts'], wider: HTTP },
  { name: 'metering', files: /^metering\//, tests: ['test/metering/*.test.ts'], wider: [...HTTP, 'test/key-admin/*.test.ts', 'test/e2e/key-life.test.ts'] },
  { name: 'admission', files: /^admission\//, tests: ['test/admission/*.test.ts', 'test/solving/*.test.ts'], wider: HTTP },
  { name: 'building', files: /^building\//, tests: ['test/building/*.test.ts'], wider: [...HTTP, 'test/chain/settlement/payload.test.ts'] },
  { name: 'validation', files: /^validation\//, tests: ['test/validation/*.test.ts'], wider: ['test/http/**/*.test.ts'] },
  {
    name: 'routing',
    files: /^routing\/(execute\/[\w-]+|paths\/(small-amounts|walk)|flow\/least-sale|certify|write-plan)\.ts$/,
    tests: ['test/routing/*.test.ts'],
    wider: ['test/routing-oracle/*.test.ts', 'test/offline/*.test.ts', 'test/pool-set/*.test.ts', ...HTTP],
  },
  { name: 'snapshot', files: /^snapshot\//, tests: ['test/snapshot/*.test.ts'], wider: ['test/pool-set/*.test.ts', 'test/routing/*.test.ts', ...HTTP] },
  { name: 'indexing', files: /^indexing\//, tests: ['test/indexing/*.test.ts'], wider: ['test/chain/indexing*.test.ts', ...HTTP] },
  {
    name: 'venues',
    files: /^venues\/(?!.*(track|load|encode|venues)\.ts$)/,
    tests: ['test/venues/*.test.ts'],
    wider: ['test/chain/venue-maths-*.test.ts', 'test/pool-set/*.test.ts', 'test/routing/*.test.ts'],
  },
];
