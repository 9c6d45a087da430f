/** What a valid rules file contains that cannot work: data in, findings out. */

import type { JsonPath } from '@contextd/shared/json/json-source'
import { placeProblem, type RulesProblem } from '../rules-problem.ts'
import type { RuleSet } from '../rule-set.ts'
import type { ReadRules } from '../rules-document.ts'
import type { AgentDocument } from '../rules-schema.ts'
import { grantMistakes } from './grant-mistakes.ts'
import { nameMistakes, requirementMistakes } from './name-mistakes.ts'
import { shadowedRules } from './shadowed-rules.ts'

/** A rule that loads and has no effect, or not the intended one. */
export interface RuleMistake extends RulesProblem {
  readonly fix: string
}

/** The names that exist on this machine. */
export interface RuleSurroundings {
  readonly servers: readonly string[]
  /** Undefined if the tools of the server are not known. */
  toolsOf(server: string): readonly string[] | undefined
  /** Agents of clients, of tokens and of recorded calls. */
  readonly agents: readonly string[]
  /** Whether an `http:fetch` scope can match any host. */
  matchesHosts(scope: string): boolean
}

export interface AgentToCheck {
  readonly id: string
  readonly agent: AgentDocument
  readonly rules: RuleSet
  readonly around: RuleSurroundings
}

/** A mistake before its position in the file is known. */
export interface FoundMistake {
  readonly path: JsonPath
  readonly part: 'key' | 'value'
  readonly message: string
  readonly fix: string
}

export function findRuleMistakes(
  { document, source }: ReadRules,
  rules: RuleSet,
  around: RuleSurroundings,
  file?: string,
): RuleMistake[] {
  const found = Object.entries(document.agents ?? {}).flatMap(([id, agent]) => {
    const checked = { id, agent, rules, around }
    return [nameMistakes, grantMistakes, shadowedRules].flatMap((find) => find(checked))
  })
  return [...found, ...requirementMistakes(document.require ?? {}, around)]
    .map(({ fix, ...issue }) => Object.assign(placeProblem(issue, source, file), { fix }))
    .sort((one, other) => one.line - other.line || one.column - other.column)
}
