import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { temporaryFolder } from '../../../test/support/audit.ts'
import { isNamedByProject } from './project-agent.ts'

test.each(['settings.json', 'settings.local.json'])(
  'an agent named in %s is the choice of the project',
  (name) => {
    const project = temporaryFolder()
    expect(isNamedByProject('lead', project)).toBe(false)
    mkdirSync(join(project, '.claude'))
    const file = join(project, '.claude', name)
    writeFileSync(file, '{ "agent": "lead" }')
    expect(isNamedByProject('lead', project)).toBe(true)
    expect(isNamedByProject('other', project)).toBe(false)
    writeFileSync(file, '{ "model": "lead" }')
    expect(isNamedByProject('lead', project)).toBe(false)
  },
)

test('an unreadable file may name any agent', () => {
  const project = temporaryFolder()
  mkdirSync(join(project, '.claude'))
  const file = join(project, '.claude', 'settings.json')
  for (const text of ['{', '[]', '\uFEFF{"agent":"lead"}']) {
    writeFileSync(file, text)
    expect(isNamedByProject('lead', project), text).toBe(true)
  }
  rmSync(file)
  symlinkSync('/dev/zero', file)
  expect(isNamedByProject('lead', project)).toBe(true)
})
