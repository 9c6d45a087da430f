import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { openApiDocument } from '../scripts/openapi.ts'

interface Described {
  readonly paths: Record<string, Record<string, Call>>
  readonly components: { readonly schemas: object }
}
interface Call {
  readonly summary: string
  readonly parameters: readonly {
    readonly in: string
    readonly name: string
    readonly description?: string
  }[]
}

const document = JSON.parse(readFileSync('schema/openapi.json', 'utf8')) as Described

test('the description of the HTTP API is generated from the messages', () => {
  expect(document, 'run `npm run generate`').toEqual(JSON.parse(JSON.stringify(openApiDocument())))
})

test('every call and parameter has a description, and every reference resolves', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const call of Object.values(methods)) {
      expect(call.summary, path).not.toBe('')
      for (const { in: place, name, description } of call.parameters) {
        if (place === 'query') expect(description, `${path} ${name}`).not.toBe('')
      }
    }
  }
  for (const [, name = ''] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    expect(document.components.schemas, name).toHaveProperty(name)
  }
})
