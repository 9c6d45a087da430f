import type { Json, JsonObject } from '@contextd/shared/json/value'

/** The request of these fields: what was not given is left out. */
export function requestOf(
  fields: Readonly<Record<string, Json | readonly string[] | undefined>>,
): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject
}
