// Writes the page of every rule of `ctxd permissions lint`, the table of all of them below its introduction, and the
// measured behaviour of the clients.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'

import { allScenes as openCodeScenes } from '../packages/permissions/oracle/opencode/scenes.ts'
import {
  claudeOracle,
  openCodeOracle,
  readObserved,
  writeObserved,
} from '../packages/permissions/oracle/claude-code/record.ts'
import { allScenes } from '../packages/permissions/oracle/claude-code/scenes.ts'
import { overviewPage, rulePages, ruleTable } from './permission-docs.ts'

const folder = 'docs/reference/permissions'
const pages = await rulePages()
mkdirSync(folder, { recursive: true })
for (const name of readdirSync(folder)) if (!pages.has(`${folder}/${name}`)) rmSync(`${folder}/${name}`)
for (const [path, text] of pages) writeFileSync(path, text)
const [introduction = ''] = readFileSync(overviewPage, 'utf8').split('| rule |')
writeFileSync(overviewPage, `${introduction.trimEnd()}\n\n${ruleTable()}`)
writeObserved(claudeOracle, readObserved(claudeOracle), allScenes)
writeObserved(openCodeOracle, readObserved(openCodeOracle), openCodeScenes)
