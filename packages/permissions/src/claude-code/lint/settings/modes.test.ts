import { expect, test } from 'vitest'

import { agentFile, check } from '../../../../test/claude-files.ts'
import { modeRules } from './modes.ts'

const user = 'home/.claude/settings.json'
const project = 'project/.claude/settings.json'
const local = 'project/.claude/settings.local.json'
const mode = (defaultMode: string) => ({ permissions: { defaultMode } })

test.each<[string, Record<string, unknown>, string[]]>([
  ['the user bypasses', { [user]: mode('bypassPermissions') }, ['bypass-by-default']],
  [
    'the administrator bypasses',
    { 'managed/managed-settings.json': mode('bypassPermissions') },
    ['bypass-by-default'],
  ],
  [
    'bypassing is disabled',
    {
      [user]: mode('bypassPermissions'),
      [project]: { permissions: { disableBypassPermissionsMode: 'disable' } },
    },
    [],
  ],
  ['a project cannot', { [project]: mode('bypassPermissions') }, ['mode-without-effect']],
  ['nor can its local settings', { [local]: mode('bypassPermissions') }, ['mode-without-effect']],
  ['nor can it select auto mode', { [project]: mode('auto') }, ['mode-without-effect']],
  ['the user can', { [user]: mode('auto') }, []],
  ['an agent cannot bypass', agentFile('a', 'permissionMode: bypassPermissions'), ['mode-without-effect']],
  ['a project accepts edits', { [project]: mode('acceptEdits') }, ['edits-without-asking']],
  [
    'an agent of the project accepts edits',
    agentFile('a', 'permissionMode: acceptEdits'),
    ['edits-without-asking'],
  ],
  ['the user accepts edits', { [user]: mode('acceptEdits'), [local]: mode('acceptEdits') }, []],
  ['plan mode', { [project]: mode('plan'), ...agentFile('a', 'permissionMode: plan') }, []],
])('%s', (_case, files, ids) => {
  const reported = modeRules.flatMap((rule) => check(rule, files).lines.map(() => rule.id))
  expect(reported).toEqual(ids)
})
