// Writes the second half of docs/reference/places.md from the tables in the code; the text above it is preserved.
import { readFileSync, writeFileSync } from 'node:fs'

import { placeDocs } from './place-docs.ts'

const page = 'docs/reference/places.md'
const docs = placeDocs()
const [heading = ''] = docs.split('\n', 1)
const [text = ''] = readFileSync(page, 'utf8').split(heading)
writeFileSync(page, `${text}${docs}`)
