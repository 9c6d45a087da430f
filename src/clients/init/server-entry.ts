import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'

/** These decide which code a program runs and whose files it goes by. */
const steering = /^(?:(?:CONTEXTD|GATEWAY|NODE|LD|DYLD|XDG)_.*|HOME|PATH)$/i

/**
 * What stands beside the command of our server in a file of a project, without what would make it another program or send
 * it to other files: a repository may have had the entry before the person ran `contextd init`.
 */
export function withoutSteering(entry: JsonObject, environment: 'env' | 'environment'): JsonObject {
  const kept = Object.entries(entry).flatMap(([name, value]): [string, Json][] => {
    if (name === 'cwd') return []
    if (name !== environment || !isJsonObject(value)) return [[name, value]]
    const variables = Object.entries(value).filter(([variable]) => !steering.test(variable))
    return variables.length === 0 ? [] : [[name, Object.fromEntries(variables)]]
  })
  return Object.fromEntries(kept)
}
