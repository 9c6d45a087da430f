// contextd in front of the server that its only argument declares: the real runtime behind the real HTTP door, on any
// free port. Prints where it answers and to which token, and serves until its stdin is closed.
import { mkdirSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { dirname } from 'node:path'

import { composeRuntime } from '../../src/compose.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { resolvePaths } from '../../src/platform/files/paths.ts'
import { serveHttp } from '../../src/servers/http/server.ts'

const everything = { fixtures: ['*'] }
const rules = {
  agents: { suite: { allow: { servers: ['fixtures'], prompts: everything, resources: everything } } },
}
const declared = JSON.parse(process.argv[2] ?? '{}') as JsonObject
const servers = { mcpServers: { fixtures: { ...declared, transparent: true, prefix: false } } }
const paths = resolvePaths(process.env)
mkdirSync(dirname(paths.rulesFile), { recursive: true })
writeFileSync(paths.rulesFile, JSON.stringify(rules))
writeFileSync(paths.serversFile, JSON.stringify(servers))
writeFileSync(paths.configFile, '[http]\nport = 0\n')

const runtime = await composeRuntime({ env: process.env, cwd: process.cwd() })
const { secret } = runtime.tokens.create('suite', 'conformance')
const http = await serveHttp(runtime)
process.stdout.write(`${JSON.stringify({ url: http.url, token: secret })}\n`)

process.stdin.resume()
await once(process.stdin, 'end')
await http.close()
await runtime.close()
