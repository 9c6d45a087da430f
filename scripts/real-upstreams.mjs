// npm run upstreams: tests contextd in front of widely used MCP servers, installed from npm for this run.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { installTool } from './tool-cache.mjs'

const official = (name) => [name, `@modelcontextprotocol/server-${name}`, '2026.8.31', 'dist/index.js']
const servers = [
  official('filesystem'),
  official('memory'),
  official('everything'),
  ['playwright', '@playwright/mcp', '0.0.83', 'cli.js'],
]
const programs = servers.map(([name, pack, version, program]) => [
  name,
  join(installTool(pack, version), 'node_modules', pack, program),
])
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/gateway/real-servers.int.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, REAL_MCP_SERVERS: JSON.stringify(Object.fromEntries(programs)) },
})
process.exit(status ?? 1)
