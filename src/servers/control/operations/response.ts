import type { JsonObject } from '@contextd/shared/json/value'

/** Our own data as the JSON it is: what is undefined in it is left out on every wire. */
export function jsonOf(value: object): JsonObject {
  return value as JsonObject
}

export function jsonList(values: readonly object[]): JsonObject[] {
  return values as JsonObject[]
}
