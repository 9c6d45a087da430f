import { writeFileSync } from 'node:fs'

import { answer } from '../../src/core/result.ts'
import { aTool, doorTools } from './door-tools.ts'
import { realRuntime, type RealRuntime } from './real-runtime.ts'

/** The runtime for transport tests: the real one, with the tools that the tests need. */
export async function doorFixture(): Promise<RealRuntime> {
  let changes = 0
  const changeRules = aTool('change_rules', async () => {
    changes += 1
    const agent = { allow: { servers: ['contextd'] }, justification: `change ${changes}` }
    const rules = { agents: { main: agent, default: agent }, defaults: { deny_on_missing_agent: false } }
    writeFileSync(runtime.paths.rulesFile, JSON.stringify(rules))
    return answer('changed')
  })
  const runtime: RealRuntime = await realRuntime({ tools: [...doorTools(), changeRules] })
  return runtime
}
