/** The base that tools and stages build on. */

import type { CountTokens } from '../core/ports.ts'
import { loadTokenizer } from '../stages/budget/tokenizer.ts'
import { discoverRules } from '../stages/policy/discover-rules.ts'
import { createRuleBook, type RuleBook } from '../stages/policy/rule-book.ts'
import { openAuditing, type Auditing } from './auditing.ts'
import type { ComposeOptions } from './runtime.ts'
import { rememberRevealed, type RevealedSecrets } from './revealing.ts'
import { openScrubbing, type Scrubbing } from './scrubbing.ts'
import { openSetup, type RuntimeSetup } from './setup.ts'

export interface Foundation extends RuntimeSetup, Scrubbing, Auditing {
  readonly rules: RuleBook
  readonly count: CountTokens
  readonly given: RevealedSecrets
}

export async function openFoundation(options: ComposeOptions): Promise<Foundation> {
  const setup = openSetup(options)
  const { env, paths, project, trust, clock, config } = setup
  const scrubbing = await openScrubbing(setup, options.log)
  const { log } = scrubbing
  const auditing = openAuditing(setup, log, options.brief === true)
  const rules = createRuleBook({
    files: discoverRules(env, paths, project),
    isTrusted: trust.isTrusted,
    clock,
    log,
    onEvent: ({ kind, ...details }) => auditing.recordFileEvent(`rules-${kind}`, { ...details }),
  })
  const count = await loadTokenizer(config.budget.tokenizer)
  return { ...setup, ...scrubbing, ...auditing, rules, count, given: rememberRevealed() }
}
