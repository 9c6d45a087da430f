import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

import { builtinSecretRules } from './rule-list.ts'
import { defaultRules } from '../rules/index.ts'

const source = fileURLToPath(new URL('..', import.meta.url))

/** Rule ids that are hard-coded in the engine: `rule: '…'` in its sources. */
const idsInSources = ['find', 'assignments']
  .flatMap((folder) => readdirSync(join(source, folder)).map((name) => join(source, folder, name)))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .flatMap((path) =>
    Array.from(readFileSync(path, 'utf8').matchAll(/\brule(?::| =) '([a-z0-9-]+)'/g), ([, id]) => id!),
  )

test('every rule that can have findings is listed once, with a description and keywords', () => {
  const ids = builtinSecretRules().map(({ id }) => id)
  expect(idsInSources).toEqual(expect.arrayContaining(['private-key', 'generic-api-key']))
  expect(ids).toEqual(expect.arrayContaining([...idsInSources, ...defaultRules.map(({ id }) => id)]))
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual([...ids].sort())
  for (const { description, keywords } of builtinSecretRules()) {
    expect(description).not.toBe('')
    expect(keywords.length).toBeGreaterThan(0)
  }
})

test('rules with the same id are listed as one, with the keywords of all', () => {
  const twice = defaultRules.find(({ id }, index) => defaultRules.findIndex((rule) => rule.id === id) < index)
  const keywords = defaultRules.filter(({ id }) => id === twice?.id).flatMap((rule) => rule.keywords)
  expect(new Set(builtinSecretRules().find(({ id }) => id === twice?.id)?.keywords)).toEqual(
    new Set(keywords),
  )
})
