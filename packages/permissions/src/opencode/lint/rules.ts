/** Every rule about the files of OpenCode. */

import type { FindingDetails, LintRule } from '../../findings/finding.ts'
import type { OpenCodeSetup } from '../setup.ts'
import { agentRules } from './agents.ts'
import { environmentRules } from './environment.ts'
import { brokenFile, fileRules } from './files.ts'
import { nameRules } from './names.ts'
import { orderRules } from './order.ts'
import { pathRules } from './paths.ts'
import { reachRules } from './reach.ts'
import { serverRules } from './servers.ts'
import { spellingRules } from './spelling.ts'

export const openCodeRules: readonly LintRule<OpenCodeSetup>[] = [
  ...serverRules,
  ...spellingRules,
  ...nameRules,
  ...orderRules,
  ...pathRules,
  ...reachRules,
  ...agentRules,
  ...fileRules,
  ...environmentRules,
]

/** Mistakes that keep the client from starting, except unreadable files. */
export function refusals(setup: OpenCodeSetup): FindingDetails[] {
  return [...serverRules, ...spellingRules, ...agentRules, brokenFile]
    .flatMap((rule) => Array.from(rule.check(setup)))
    .filter(({ stopsClient }) => stopsClient)
}
