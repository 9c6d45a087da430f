import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { composeRuntime, type ComposeOptions, type Runtime } from '../../src/compose.ts'
import { resolvePaths } from '../../src/platform/files/paths.ts'

export interface RealRuntime extends Runtime {
  /** A bearer token of that agent, the same each time. */
  readonly tokenFor: (agent: string) => string
}

export interface RealRuntimeOptions extends Pick<ComposeOptions, 'tools' | 'payloads'> {
  readonly messageBytes?: number
}

/** The real contextd, in a temporary folder that is removed when it is closed. Port 0 is any free one. */
export async function realRuntime({ messageBytes, ...parts }: RealRuntimeOptions = {}): Promise<RealRuntime> {
  const home = mkdtempSync(join(tmpdir(), 'contextd-test-'))
  const env = { CONTEXTD_HOME: home }
  const { configFile } = resolvePaths(env)
  mkdirSync(dirname(configFile))
  const limits = messageBytes === undefined ? '' : `[limits]\nmessage_bytes = ${messageBytes}\n`
  writeFileSync(configFile, `[http]\nport = 0\n[log]\nlevel = "error"\n${limits}`)
  const runtime = await composeRuntime({ env, cwd: home, ...parts })
  const tokens = new Map<string, string>()
  return {
    ...runtime,
    tokenFor(agent) {
      const token = tokens.get(agent) ?? runtime.tokens.create(agent, 'test').secret
      tokens.set(agent, token)
      return token
    },
    async close() {
      await runtime.close()
      rmSync(home, { recursive: true })
    },
  }
}
