import type { Json, JsonObject } from '@contextd/shared/json/value'

/** A request without the undefined fields. */
export function requestOf(
  fields: Readonly<Record<string, Json | readonly string[] | undefined>>,
): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject
}
