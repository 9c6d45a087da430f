import { existsSync, mkdirSync, readdirSync, rmdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { temporaryFolder, temporaryStore } from '../../../test/support/audit.ts'
import { openTestTools } from '../../../test/support/test-tools.ts'
import { packageFiles, writePackage } from '../../../test/support/tool-packages.ts'

async function prepared() {
  const home = temporaryFolder()
  const project = join(home, 'project')
  mkdirSync(project)
  writePackage(join(home, 'source'), packageFiles({}))
  const { installer } = openTestTools(temporaryStore(), { home, project })
  return { home, tools: join(project, '.contextd/tools'), tool: await installer.prepare('../source') }
}

describe('while a person thinks about a tool', () => {
  it('tolerates that another command removes the empty target folder', async () => {
    const { tools, tool } = await prepared()
    rmdirSync(tools)
    tool.confirm()
    expect(existsSync(join(tools, 'probe/run.sh'))).toBe(true)
  })

  it('a link put in its way leads nowhere', async () => {
    const { home, tools, tool } = await prepared()
    mkdirSync(join(home, 'outside/probe/kept'), { recursive: true })
    rmdirSync(tools)
    symlinkSync('../../outside', tools)
    expect(() => tool.confirm()).toThrow(/is a link/)
    expect(readdirSync(join(home, 'outside/probe'))).toEqual(['kept'])
  })
})
