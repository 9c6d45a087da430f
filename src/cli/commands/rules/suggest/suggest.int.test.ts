import { expect, onTestFinished, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { sandboxHere } from '../../../../../test/support/sandbox-here.ts'
import { makeTempHome } from '../../../../../test/support/temp-home.ts'
import { composeRuntime } from '../../../../compose.ts'
import { resultText } from '../../../../stages/audit/call-record.ts'
import { rulesCommand } from '../rules.ts'

test.runIf(sandboxHere)(
  'a host that the proxy inside the sandbox refused is allowed by the command',
  async () => {
    const home = makeTempHome()
    onTestFinished(home.remove)
    home.write('config/rules.json', { agents: { main: {} } })
    const bash = async (command: string): Promise<string> => {
      const runtime = await composeRuntime({ env: home.env, cwd: home.project, log: () => {} })
      const client = { name: 'test', version: '1', door: 'cli' } as const
      const session = runtime.sessions.begin(client)
      const { signal } = new AbortController()
      const request = { method: 'tool', tool: 'safe_bash', session, client, signal } as const
      const claims = { declared: 'main' }
      const call = runtime.newCall({ ...request, arguments: { command }, claims })
      const text = resultText(await runtime.handle(call))
      await runtime.close()
      return text
    }
    const command = 'curl -sS http://nothing.invalid:8080/ 2>&1'
    expect(await bash(command)).toContain('no grant covers this host')
    const { out } = await home.run(rulesCommand, 'suggest', '--json')
    const [suggested] = (JSON.parse(out()) as { refusals: JsonObject[] }).refusals
    expect(suggested).toMatchObject({
      agent: 'main',
      tool: 'safe_bash',
      wanted: ['GET nothing.invalid:8080'],
      commands: ['ctxd rules grant main http:fetch:GET@nothing.invalid:8080'],
    })
    await home.run(rulesCommand, 'grant', 'main', 'http:fetch:GET@nothing.invalid:8080', '--yes')
    expect(await bash(command)).not.toContain('no grant covers this host')
    expect(await bash(command.replace('8080', '8081'))).toContain('granted on other ports only')
  },
)
