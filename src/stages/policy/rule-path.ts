import type { JsonPath } from '../../platform/config/json-source.ts'

/** Where a rule stands, for people and for the audit record. The built-in rules have no file. */
export interface RulePlace {
  /** `agents.frontend.deny.tools.postgres[0]` */
  readonly path: string
  readonly file?: string
  readonly line?: number
}

/** `agents.frontend.deny.tools.postgres[0]`; keys that are no plain word are quoted: `agents["team.web"].deny`. */
export function formatRulePath(path: JsonPath): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (/^[\w-]+$/.test(step)) text += text === '' ? step : `.${step}`
    else text += `[${JSON.stringify(step)}]`
  }
  return text === '' ? '$' : text
}
