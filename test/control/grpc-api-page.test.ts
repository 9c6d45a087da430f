import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { apiDocs } from '../../scripts/api-docs.ts'
import { services } from '../../src/servers/control/messages.ts'

const page = readFileSync(fileURLToPath(new URL('../../docs/reference/api.md', import.meta.url)), 'utf8')

test('docs/reference/api.md is generated from the proto files by `npm run generate`', () => {
  expect(page.slice(page.indexOf('\n## ') + 1)).toBe(`${apiDocs()}\n`)
})

test('it describes every call and every field', () => {
  for (const { name, methods } of services) {
    for (const method of methods) expect(page).toContain(`\n### ${name}/${method.name}\n`)
  }
  expect(page).not.toMatch(/\|  \|$/m)
  expect(page).not.toMatch(/^### .*\n\n(?:###|\|)/m)
})
