import { canonicalJson, type JsonObject } from '@contextd/shared/json/value'
import type { ArgumentRules } from './rule-set.ts'

/** The caller's arguments between the rules' defaults and fixed values, with a note for each value that was replaced. */
export function applyArgumentRules(
  given: JsonObject,
  rules: readonly ArgumentRules[],
): { arguments: JsonObject; notes: string[] } {
  const defaults: JsonObject = Object.assign({}, ...rules.map((rule) => rule.defaults))
  const fixed: JsonObject = Object.assign({}, ...rules.map((rule) => rule.fixed))
  const notes = Object.entries(fixed)
    .filter(
      ([name, value]) => Object.hasOwn(given, name) && canonicalJson(given[name]) !== canonicalJson(value),
    )
    .map(([name]) => {
      const place = rules.findLast((rule) => Object.hasOwn(rule.fixed, name))?.place.path ?? '$'
      return `argument ${JSON.stringify(name)} replaced by ${place}.fixed`
    })
  return { arguments: { ...defaults, ...given, ...fixed }, notes }
}
