import { expect, test } from 'vitest'

import { check, serverFile } from '../../../../test/claude-files.ts'
import { mcpjsonSwitchRules } from './mcpjson-switches.ts'

const [rule] = mcpjsonSwitchRules
const servers = serverFile('tracker', 'da-sh', 'a.b')
const local = 'project/.claude/settings.local.json'
const user = 'home/.claude/settings.json'
const off = (...names: string[]) => ({ disabledMcpjsonServers: names })
const on = (...names: string[]) => ({ enabledMcpjsonServers: names })

test.each<[string, string, object, string[], string?]>([
  ['a typo leaves it enabled', local, off('traker'), ['error'], 'tracker'],
  ['wrong case', local, off('Tracker'), ['error'], 'tracker'],
  ['with the prefix of rules', local, off('mcp__tracker'), ['error'], 'tracker'],
  ['an underscore instead of a dash', local, off('da_sh'), ['error'], 'da-sh'],
  ['several names', local, off('da_sh', 'tracker', 'trackr2'), ['error', 'note']],
  ['a typo in user settings', user, off('traker'), ['error'], 'tracker'],
  ['a typo in the list of enabled servers', local, on('traker'), ['warning'], 'tracker'],
  ['no similar name', local, off('wiki'), ['note']],
  ['an unknown name in user settings', user, { ...off('wiki'), ...on('blog') }, []],
  ['correct names', local, { ...off('tracker'), ...on('da-sh') }, []],
  ['a rewritten name', local, off('a_b'), []],
])('%s', (_case, file, settings, severities, meant) => {
  const { lines, fixes } = check(rule, { ...servers, [file]: settings })
  expect(lines.map((line) => line.split(' ')[0])).toEqual(severities)
  if (meant !== undefined) expect(fixes[0]).toContain(`\`${meant}\``)
})

test('a server from another file cannot be disabled this way', () => {
  const state = {
    mcpServers: { own: { command: 'serve' } },
    projects: { '$ROOT/project': { hasTrustDialogAccepted: true } },
  }
  const { lines, fixes } = check(rule, {
    'home/.claude.json': state,
    [local]: { ...off('own'), ...on('own') },
  })
  expect(lines).toEqual([expect.stringMatching(/^error .*:3: .*does not come from/)])
  expect(fixes[0]).toContain('deniedMcpServers')
})

test('the repair corrects disabled names, in project settings only', () => {
  const settings = { ...off('traker', 'da-sh'), ...on('a_c') }
  expect(JSON.parse(check(rule, { ...servers, [local]: settings }).repaired[local] ?? '')).toEqual({
    ...off('tracker', 'da-sh'),
    ...on('a_c'),
  })
  expect(check(rule, { ...servers, [user]: settings }).repaired).toEqual({})
})
