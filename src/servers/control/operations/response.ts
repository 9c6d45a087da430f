import type { JsonObject } from '@contextd/shared/json/value'

/** Our own data as JSON, without undefined fields, which no wire format has. */
export function jsonOf(value: object): JsonObject {
  return value as JsonObject
}

export function jsonList(values: readonly object[]): JsonObject[] {
  return values as JsonObject[]
}
