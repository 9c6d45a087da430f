import {
  existsSync,
  mkdirSync,
  readFileSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterEach, expect, test } from 'vitest'

import { agentFile } from '../../../test/claude-files.ts'
import { claudeCodeRules } from './rules.ts'
import { claudeCodeFiles } from '../../../../../src/clients/claude-code/init-files.ts'
import { readSetup } from '../read/read-setup.ts'

let root = ''
afterEach(() => rmSync(root, { recursive: true, force: true }))

test.each([
  ['friendly', { kind: 'personal' }],
  ['strict', { kind: 'personal' }],
  ['friendly', { kind: 'shared', sharing: 'optional' }],
  ['strict', { kind: 'shared', sharing: 'required' }],
] as const)('what `ctxd init` writes has no faults (%s, %j)', (mode, layout) => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-clean-')))
  const [project, home] = [join(root, 'project'), join(root, 'home')]
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const files = claudeCodeFiles({
    place: { project, layout, servers: { file: join(home, '.claude.json'), key: project } },
    program: ['contextd'],
    mode,
    moved: [],
    read: () => undefined,
  })
  const trusted = { projects: { [project]: { hasTrustDialogAccepted: true } } }
  write(join(home, '.claude.json'), JSON.stringify(trusted))
  for (const { path, extend } of files) {
    write(path, extend(existsSync(path) ? readFileSync(path, 'utf8') : undefined))
  }
  for (const [name, text] of Object.entries(agentFile('scanner', 'tools: Read, mcp__contextd__safe_read')))
    write(join(root, name), String(text))

  const config = join(home, '.claude')
  const setup = readSetup(
    { project, home, config, state: join(home, '.claude.json'), managed: join(root, 'managed') },
    { secretsIn: () => [] },
  )
  expect(setup.hooks.length).toBeGreaterThan(5)
  const found = claudeCodeRules.flatMap((rule) =>
    Array.from(rule.check(setup), ({ message }) => `${rule.id}: ${message}`),
  )
  expect(found).toEqual([])
})
