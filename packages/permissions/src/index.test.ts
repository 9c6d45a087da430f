import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { explainPermission, lintPermissions } from './index.ts'

/** A home folder with these user settings, and a project in it. */
function homeWith(settings: object): { env: NodeJS.ProcessEnv; cwd: string; managed: string } {
  const home = mkdtempSync(join(tmpdir(), 'contextd-permissions-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const project = join(home, 'project')
  for (const folder of [join(home, '.claude'), project]) mkdirSync(folder)
  writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify(settings))
  return { env: { HOME: home }, cwd: project, managed: join(home, 'managed') }
}

test('explains like the command, including the mode in the settings', async () => {
  const asking = homeWith({ permissions: { deny: ['Bash(rm *)'] } })
  expect(await explainPermission({ tool: 'Write(a.txt)' }, asking)).toMatchObject({ decision: 'ask' })
  expect(await explainPermission({ tool: 'Bash(rm a)' }, asking)).toMatchObject({
    decision: 'deny',
    decidedBy: { rule: 'Bash(rm *)', line: 1 },
  })
  const accepting = homeWith({ permissions: { defaultMode: 'acceptEdits' } })
  expect(await explainPermission({ tool: 'Write(a.txt)' }, accepting)).toMatchObject({ decision: 'allow' })
})

test('finds a mistake, and nothing in correct settings', async () => {
  const open = await lintPermissions(homeWith({ permissions: { deny: ['mcp__db__drop(*)'] } }))
  expect(open).toMatchObject([{ rule: 'mcp-rule-parentheses', severity: 'error', line: 1, column: 25 }])
  expect(await lintPermissions(homeWith({ permissions: { deny: ['mcp__db__drop'] } }))).toEqual([])
})
