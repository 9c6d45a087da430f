/** `--fix` never grants an agent more than before. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { openFixture } from '../test/permission-fixture.ts'
import { claudeTools } from './claude-code/rules/builtin-tools.ts'
import { explain } from './claude-code/explain/explain.ts'
import type { ClaudeSetup } from './claude-code/setup/setup.ts'
import { decideAny, rulesetsOf } from './opencode/ruleset.ts'
import type { OpenCodeSetup } from './opencode/setup.ts'
import { knownTools } from './opencode/tools.ts'
import { serversIn } from './opencode/written.ts'
import type { Setups } from './read-setups.ts'
import { repair } from './findings/repair.ts'
import { listedRules } from './rules.ts'

const permissiveness = { absent: 0, deny: 0, ask: 1, allow: 2 }
const calls = ['Bash(rm x)', 'Bash(git push)', 'Read(.env)', 'Edit(src/a.ts)', 'WebFetch(domain:example.com)']

/** Permissiveness by agent and tool. */
function reach({ claudeCode, openCode }: Setups): Map<string, number> {
  return new Map([...(claudeCode ? claudeReach(claudeCode) : []), ...(openCode ? openReach(openCode) : [])])
}

function* claudeReach(setup: ClaudeSetup): Generator<[string, number]> {
  const ofServers = setup.servers.flatMap(({ prefix }) => [`${prefix}__get`, `${prefix}__find`])
  for (const tool of [...claudeTools, ...calls, ...ofServers]) {
    for (const agent of [undefined, ...setup.agents.map(({ name }) => name)]) {
      const question = { tool, cliAllow: [], cliDeny: [], ...(agent !== undefined && { agent }) }
      yield [`${agent}: ${tool}`, permissiveness[explain(setup, question).decision]]
    }
  }
}

function* openReach(setup: OpenCodeSetup): Generator<[string, number]> {
  for (const [name, { rules }] of rulesetsOf(setup).agents)
    for (const tool of [...knownTools, ...serversIn(setup).map((server) => `${server}_get`)])
      yield [`opencode ${name}: ${tool}`, permissiveness[decideAny(rules, tool)?.action ?? 'allow']]
}

test.each(listedRules.map(({ id }) => id))('repairs of %s grant nothing', async (id) => {
  const fixture = await openFixture(id, 'bad')
  try {
    const before = reach(fixture.read())
    for (let run = 0; run < 3; run++) {
      const { texts } = repair(fixture.lint(), (file) =>
        existsSync(file) ? readFileSync(file, 'utf8') : undefined,
      )
      for (const [file, text] of texts) writeFileSync(file, text)
    }
    const opened = Array.from(reach(fixture.read())).filter(([what, now]) => now > (before.get(what) ?? 0))
    expect(opened).toEqual([])
  } finally {
    fixture.remove()
  }
})
