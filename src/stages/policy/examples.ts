import { nearest } from '@contextd/shared/text/nearest'
import { evaluate } from './evaluate.ts'
import type { RuleSet } from './rule-set.ts'
import type { ReadRules } from './rules-document.ts'
import { placeProblem, type RulesProblem } from './rules-problem.ts'

export interface ExampleOutcome {
  readonly example: string
  readonly expected: 'allow' | 'deny'
  readonly line: number
  /** The deciding rule; absent if the example names an agent that is not in the file. */
  readonly rule?: string
  readonly reason: string
  /** Absent if the example has the expected result. */
  readonly problem?: RulesProblem
}

/** Evaluates every example of the file. Examples test access, so the best identity level is assumed. */
export function runExamples(
  rules: RuleSet,
  { document, source }: ReadRules,
  file?: string,
): ExampleOutcome[] {
  return (['allow', 'deny'] as const).flatMap((expected) =>
    (document.examples?.[expected] ?? []).map((example, index) => {
      const place = (message: string): RulesProblem =>
        placeProblem({ path: ['examples', expected, index], part: 'value', message }, source, file)
      return runExample(rules, example, expected, place)
    }),
  )
}

function runExample(
  rules: RuleSet,
  example: string,
  expected: 'allow' | 'deny',
  place: (message: string) => RulesProblem,
): ExampleOutcome {
  const [, name = '', server = '', tool = ''] = /^(\S+) ([^.]+)\.(.+)$/.exec(example) ?? []
  const agent = rules.resolveAgent(name)
  if (agent === undefined) {
    const problem = place(unknownAgent(name, [...rules.agents.keys()]))
    return { example, expected, line: problem.line, reason: problem.message, problem }
  }
  const { effect, rule, reason } = evaluate(rules, { agent, level: 'attested', server, tool, method: 'tool' })
  const problem = place(
    `${JSON.stringify(example)} should be ${expected}, but is ${effect} by ${rule}: ${reason}`,
  )
  const outcome = { example, expected, line: problem.line, rule, reason }
  return effect === expected ? outcome : { ...outcome, problem }
}

/** Always a problem, even for an expected deny: a mistyped name would make the example meaningless. */
function unknownAgent(name: string, agents: readonly string[]): string {
  const near = nearest(name, agents)
  return `there is no agent ${JSON.stringify(name)}${near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`}`
}
