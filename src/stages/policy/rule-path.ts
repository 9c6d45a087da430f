export { formatJsonPath as formatRulePath } from '@contextd/shared/json/json-path'

/** Where a rule stands, for people and for the audit record. The built-in rules have no file. */
export interface RulePlace {
  /** `agents.frontend.deny.tools.postgres[0]` */
  readonly path: string
  readonly file?: string
  readonly line?: number
}
