/** Explains who may do what, and why. */

import type { RuntimeCore } from '../../../compose.ts'
import { identityLevels } from '../../../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { explainRules } from '../../../stages/policy/explain.ts'
import type { Operation } from './operation.ts'
import { choiceIn, theText } from './request.ts'
import { jsonList, jsonOf } from './response.ts'

export const policyOperations: readonly Operation[] = [
  {
    rpc: 'Policy/Check',
    async run(request, { runtime }) {
      const { decision, rule, reason } = explained(request, runtime)
      return { allowed: decision === 'allow', decision, rule, reason }
    },
  },
  {
    rpc: 'Policy/Explain',
    run: async (request, { runtime }) => jsonOf(explained(request, runtime)),
  },
  {
    rpc: 'Policy/List',
    async run(_request, { runtime: { rules } }) {
      const { files, loadedAt, lastError } = rules.status()
      return {
        agents: [...rules.current().agents.keys()],
        files: jsonList(files),
        loaded_at: new Date(loadedAt).toISOString(),
        ...(lastError !== undefined && {
          last_error: { ...lastError, at: new Date(lastError.at).toISOString() },
        }),
      }
    },
  },
]

function explained(request: JsonObject, { rules, catalogue }: RuntimeCore): ReturnType<typeof explainRules> {
  const agent = theText(request, 'agent')
  const server = theText(request, 'server')
  const name = theText(request, 'tool')
  const level = choiceIn(request, 'level', identityLevels) ?? 'attested'
  const found = catalogue.find(name)
  const tool = found?.server === server ? found : undefined
  const terms = tool && { open: tool.open === true, needs: tool.needs }
  return explainRules(rules.current(), { agent, server, tool: name, level, ...terms })
}
