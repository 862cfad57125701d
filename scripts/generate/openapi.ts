import type { JsonObject, MessageName } from './schema-files.ts';
export function buildOpenApi(_m: ReadonlyMap<MessageName, JsonObject>): JsonObject {
  return {};
}
