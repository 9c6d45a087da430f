import { canonicalJson, type JsonObject } from '@contextd/shared/json/value'
import type { ArgumentRules } from './rule-set.ts'

/** Applies the rules' defaults and fixed values to the caller's arguments, with a note for each replaced value. */
export function applyArgumentRules(
  callerArguments: JsonObject,
  rules: readonly ArgumentRules[],
): { arguments: JsonObject; notes: string[] } {
  const defaults: JsonObject = Object.assign({}, ...rules.map((rule) => rule.defaults))
  const fixed: JsonObject = Object.assign({}, ...rules.map((rule) => rule.fixed))
  const notes = Object.entries(fixed)
    .filter(
      ([name, value]) =>
        Object.hasOwn(callerArguments, name) && canonicalJson(callerArguments[name]) !== canonicalJson(value),
    )
    .map(([name]) => {
      const place = rules.findLast((rule) => Object.hasOwn(rule.fixed, name))?.place.path ?? '$'
      return `argument ${JSON.stringify(name)} replaced by ${place}.fixed`
    })
  return { arguments: { ...defaults, ...callerArguments, ...fixed }, notes }
}
