export { formatJsonPath as formatRulePath } from '@contextd/shared/json/json-path'

/** The position of a rule, for display and for audit records. Built-in rules have no file. */
export interface RulePlace {
  /** `agents.frontend.deny.tools.postgres[0]` */
  readonly path: string
  readonly file?: string
  readonly line?: number
}
