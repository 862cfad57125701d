import type { KeyEntry } from '../metering/metering.ts';

/** The keys of a file as a table: what was granted, never a digest. */
export function listOf(keys: readonly KeyEntry[]): readonly string[] {
  if (keys.length === 0) return ['no keys'];
  const rows = keys.map((entry) => [
    entry.id,
    entry.revoked === null ? 'in force' : `revoked ${entry.revoked}`,
    String(entry.rps),
    feeOf(entry),
    entry.surplus,
    entry.gatedVenues.length === 0 ? '-' : entry.gatedVenues.join(','),
    entry.partnerId,
    entry.created,
  ]);
  const table = [['ID', 'STATE', 'RPS', 'FEE', 'SURPLUS', 'GATED', 'PARTNER ID', 'CREATED'], ...rows].map((row) => row.map(printable));
  const widths = (table[0] ?? []).map((_, column) => table.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0));
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** What a key grants, in words. */
export function termsOf(entry: KeyEntry): string {
  const gated = entry.gatedVenues.length === 0 ? 'no gated venues' : `gated venues ${entry.gatedVenues.join(', ')}`;
  return `${entry.rps} requests per second, fee ${feeOf(entry)}, surplus to ${entry.surplus}, ${gated}, partner id ${printable(entry.partnerId)}`;
}

function feeOf({ feePolicy }: KeyEntry): string {
  if (feePolicy === undefined) return "the request's";
  return feePolicy.feeBps === 0 ? 'none' : `${feePolicy.feeBps} bps, ${feePolicy.partnerShareBps} bps of it to ${feePolicy.partner}`;
}

/** A file may have been written by hand: what could move a terminal's cursor is shown as a mark. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?');
}
