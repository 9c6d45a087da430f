import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { compare, type Comparison } from './support/statistics.ts'

/**
 * Run time of `ctxd permissions lint` in a large project compared with an empty one, in milliseconds; the two
 * alternate.
 */
export function measureLint(home: string, env: NodeJS.ProcessEnv, rounds: number): Comparison {
  const [large, empty] = [join(home, 'large'), join(home, 'empty')]
  makeProject(large)
  mkdirSync(empty)
  const run = (cwd: string): number => {
    const before = performance.now()
    const { status, stderr } = spawnSync(process.execPath, [resolve('bin/ctxd.js'), 'permissions', 'lint'], {
      cwd,
      env,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`the linter exited with ${status}: ${stderr}`)
    return performance.now() - before
  }
  const pairs = Array.from({ length: rounds }, () => ({ theirs: run(empty), ours: run(large) }))
  return compare(pairs)
}

function makeProject(folder: string): void {
  const names = (count: number, name: string): string[] =>
    Array.from({ length: count }, (_, index) => `${name}${index}`)
  const agents = join(folder, '.claude', 'agents')
  mkdirSync(agents, { recursive: true })
  for (const name of names(1000, 'agent')) {
    const head = `name: ${name}\ndescription: Looks after one part.\ntools: Read, Bash, mcp__server1__look`
    writeFileSync(join(agents, `${name}.md`), `---\n${head}\n---\nYou look after one part.\n`)
  }
  const servers = names(50, 'server').map((name) => [name, { command: name }])
  writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: Object.fromEntries(servers) }))
  const permissions = { allow: names(100, 'mcp__server1__tool'), deny: names(100, 'mcp__server2__tool') }
  writeFileSync(join(folder, '.claude', 'settings.json'), JSON.stringify({ permissions }, null, 2))
}
