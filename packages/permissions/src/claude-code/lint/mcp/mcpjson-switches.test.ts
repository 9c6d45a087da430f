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
  ['a slip leaves it on', local, off('traker'), ['error'], 'tracker'],
  ['another case', local, off('Tracker'), ['error'], 'tracker'],
  ['as rules begin', local, off('mcp__tracker'), ['error'], 'tracker'],
  ['an underscore for a dash', local, off('da_sh'), ['error'], 'da-sh'],
  ['each of several', local, off('da_sh', 'tracker', 'trackr2'), ['error', 'note']],
  ['a slip of the user', user, off('traker'), ['error'], 'tracker'],
  ['a slip that switches on', local, on('traker'), ['warning'], 'tracker'],
  ['nothing near', local, off('wiki'), ['note']],
  ['another project may have it', user, { ...off('wiki'), ...on('blog') }, []],
  ['their names', local, { ...off('tracker'), ...on('da-sh') }, []],
  ['a name as the client rewrites it', local, off('a_b'), []],
])('%s', (_case, file, settings, severities, meant) => {
  const { lines, fixes } = check(rule, { ...servers, [file]: settings })
  expect(lines.map((line) => line.split(' ')[0])).toEqual(severities)
  if (meant !== undefined) expect(fixes[0]).toContain(`\`${meant}\``)
})

test('a server that comes from elsewhere is not switched off either', () => {
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

test('a repair switches off what was meant, and only for this project', () => {
  const settings = { ...off('traker', 'da-sh'), ...on('a_c') }
  expect(JSON.parse(check(rule, { ...servers, [local]: settings }).repaired[local] ?? '')).toEqual({
    ...off('tracker', 'da-sh'),
    ...on('a_c'),
  })
  expect(check(rule, { ...servers, [user]: settings }).repaired).toEqual({})
})
