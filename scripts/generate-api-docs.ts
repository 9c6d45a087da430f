// Writes docs/reference/api.md below its introduction from the proto files.
import { readFileSync, writeFileSync } from 'node:fs'

import { apiDocs } from './api-docs.ts'

const page = 'docs/reference/api.md'
const [introduction = ''] = readFileSync(page, 'utf8').split('\n## ')
writeFileSync(page, `${introduction.trimEnd()}\n\n${apiDocs()}\n`)
