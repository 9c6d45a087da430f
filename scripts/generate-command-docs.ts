// Writes docs/reference/commands.md below its introduction from the commands themselves.
import { readFileSync, writeFileSync } from 'node:fs'

import { commandDocs } from './command-docs.ts'

const page = 'docs/reference/commands.md'
const [introduction = ''] = readFileSync(page, 'utf8').split('\n## ')
writeFileSync(page, `${introduction.trimEnd()}\n\n${await commandDocs()}`)
