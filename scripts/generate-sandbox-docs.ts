// Writes the second half of docs/reference/sandbox.md from the code; the text above it is preserved.
import { readFileSync, writeFileSync } from 'node:fs'

import { sandboxDocs } from './sandbox-docs.ts'

const page = 'docs/reference/sandbox.md'
const [text = ''] = readFileSync(page, 'utf8').split('## The line')
writeFileSync(page, `${text}${sandboxDocs()}`)
