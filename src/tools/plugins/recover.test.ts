import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { temporaryFolder, temporaryStore } from '../../../test/support/audit.ts'
import { openTestTools } from '../../../test/support/test-tools.ts'
import { packageFiles, writePackage } from '../../../test/support/tool-packages.ts'
import { readPackageFiles } from './package-files.ts'
import { openStaging } from './staging.ts'

/** No process has it. */
const dead = 2 ** 22 + 1

function strangersProject() {
  const home = temporaryFolder()
  const project = join(home, 'project')
  const staging = join(project, '.contextd', `.installing-${dead}-${'0'.repeat(16)}`)
  mkdirSync(staging, { recursive: true })
  mkdirSync(join(project, '.contextd/tools'))
  const store = temporaryStore()
  return {
    project,
    staging,
    journal: (text: object | string) =>
      writeFileSync(join(staging, 'journal.json'), typeof text === 'string' ? text : JSON.stringify(text)),
    tools: () => openTestTools(store, { home, project }),
  }
}

describe('what lies in a stranger’s project as if an install had been interrupted', () => {
  it('approves nothing, whatever it says', async () => {
    const { project, staging, journal, tools } = strangersProject()
    const place = join(project, '.contextd/tools/probe')
    writePackage(place, packageFiles({ script: 'echo evil' }))
    const { sha256 } = readPackageFiles(place)
    writePackage(join(staging, 'new'), packageFiles({ script: 'echo evil' }))
    const locked = {
      source: 'https://evil.example/',
      revision: '1',
      sha256,
      installed_at: '2026-11-15T10:00:00Z',
    }
    journal({ action: 'put', name: 'probe', sha256, locked })
    const { installer, toolbox } = tools()
    expect(installer.installed().size).toBe(0)
    expect((await toolbox.show('probe')).state).toBe('new')
    expect(existsSync(staging)).toBe(false)
  })

  it.each(
    ['put', 'take'].flatMap((action) => ['../../outside', '..', 'a/b', '', 7].map((name) => [action, name])),
  )('leads nowhere else: %s %j', (action, name) => {
    const { project, journal, staging, tools } = strangersProject()
    mkdirSync(join(project, 'outside'))
    writeFileSync(join(project, 'outside/mine'), 'mine')
    mkdirSync(join(staging, 'old'))
    const locked = { source: 'x', revision: 'x', sha256: 'x', installed_at: 'x' }
    journal({ action, name, sha256: 'x', locked })
    tools().installer.installed()
    expect([readdirSync(project), readFileSync(join(project, 'outside/mine'), 'utf8')]).toEqual([
      ['outside'],
      'mine',
    ])
  })

  it.each(['', '{', '[]', 'null', '{"action": "put", "name": "probe"}'])(
    'that says nothing is removed: %j',
    (text) => {
      const { project, journal, tools } = strangersProject()
      journal(text)
      tools().installer.installed()
      expect(readdirSync(project)).toEqual([])
    },
  )

  it('takes nothing away that we did not put there', () => {
    const { project, journal, tools } = strangersProject()
    const mine = join(project, '.contextd/tools/probe/run.sh')
    mkdirSync(join(mine, '..'))
    writeFileSync(mine, 'mine')
    const locked = { source: 'x', revision: 'x', sha256: 'x', installed_at: 'x' }
    journal({ action: 'put', name: 'probe', sha256: 'ab'.repeat(32), locked })
    tools().installer.installed()
    expect(readFileSync(mine, 'utf8')).toBe('mine')
    expect(readdirSync(join(project, '.contextd'))).toEqual(['tools'])
  })

  it.each(['.contextd/tools', '.contextd'])('reaches nothing outside where %s is a link', (name) => {
    const { project, staging, journal, tools } = strangersProject()
    const outside = join(project, 'outside')
    mkdirSync(join(outside, 'tools'), { recursive: true })
    writePackage(join(outside, 'probe'), packageFiles({}))
    writePackage(join(outside, 'tools/probe'), packageFiles({}))
    const { sha256 } = readPackageFiles(join(outside, 'probe'))
    const locked = { source: 'x', revision: 'x', sha256, installed_at: 'x' }
    journal({ action: 'put', name: 'probe', sha256, locked })
    if (name === '.contextd') renameSync(staging, join(outside, basename(staging)))
    rmSync(join(project, name), { recursive: true })
    symlinkSync(outside, join(project, name))
    tools().installer.installed()
    expect([
      existsSync(join(outside, 'probe/run.sh')),
      existsSync(join(outside, 'tools/probe/run.sh')),
    ]).toEqual([true, true])
  })

  it('that is a link is taken away, and what it leads to is left alone', () => {
    const { project, tools } = strangersProject()
    const outside = join(project, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'journal.json'), '{"action": "take", "name": "probe"}')
    symlinkSync(outside, join(project, '.contextd', `.installing-${dead}-${'1'.repeat(16)}`))
    tools().installer.installed()
    expect([readdirSync(project), readdirSync(outside)]).toEqual([['outside'], ['journal.json']])
  })
})

it('what a process that lives is making ready is left alone', () => {
  const { project, staging, tools } = strangersProject()
  const ours = openStaging(project)
  const parent = join(project, '.contextd', `.installing-${process.ppid}-${'2'.repeat(16)}`)
  mkdirSync(parent)
  tools().installer.installed()
  expect([existsSync(ours.folder), existsSync(parent), existsSync(staging)]).toEqual([true, true, false])
})
