import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'

/** Variables that decide which code a program runs and which files it uses. */
const unsafeVariables = /^(?:(?:CONTEXTD|GATEWAY|NODE|LD|DYLD|XDG)_.*|HOME|PATH)$/i

/**
 * Our server's entry in a project file, without settings that would turn it into another program or redirect it to
 * other files: the repository may have had the entry before the user ran `ctxd init`.
 */
export function withoutUnsafeSettings(entry: JsonObject, environment: 'env' | 'environment'): JsonObject {
  const kept = Object.entries(entry).flatMap(([name, value]): [string, Json][] => {
    if (name === 'cwd') return []
    if (name !== environment || !isJsonObject(value)) return [[name, value]]
    const variables = Object.entries(value).filter(([variable]) => !unsafeVariables.test(variable))
    return variables.length === 0 ? [] : [[name, Object.fromEntries(variables)]]
  })
  return Object.fromEntries(kept)
}
