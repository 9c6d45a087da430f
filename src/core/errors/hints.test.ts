/** Errors name what they are about, and so do their hints. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

import { describeError, errorCatalogue } from './errors.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Words that point at a thing without naming it. */
const unnamed = /\b(?:the|this|that) (?:name|command|ID|id|path|file at that path)\b/i
const vague = /['`](?:such |[^'`]*\b(?:with|of) (?:this|that) (?:name|ID|id|path|serial)\b)/

describe('the catalogue', () => {
  it.each(Object.entries(errorCatalogue))('%s has a hint that refers to nothing unnamed', (_, { hint }) => {
    expect(hint).not.toMatch(unnamed)
  })

  it('is checked for what it had before', () => {
    expect('Check the name.').toMatch(unnamed)
    expect('Run the command with --help.').toMatch(unnamed)
    expect("{ what: 'such file' }").toMatch(vague)
    expect("{ what: 'webhook with that ID' }").toMatch(vague)
  })

  it('leaves a hint out that it cannot complete', () => {
    expect(describeError('NOT_FOUND', { what: 'page guide' })).toEqual({
      code: 'NOT_FOUND',
      message: 'There is no page guide',
      what: 'page guide',
    })
    expect(describeError('NOT_FOUND', { what: 'page guide', name: 'guide' }).hint).toBe(
      'Check the spelling of guide.',
    )
  })
})

/** Where the sources report this error, with the text of its details. */
function usesOf(code: string): { file: string; details: string }[] {
  const files = ['src', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/src`)].flatMap(
    (folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
        .map((path) => join(folder, path)),
  )
  return files.flatMap((file) => {
    // Examples in comments are not used.
    const source = readFileSync(join(root, file), 'utf8').replace(/^ *\/\*\*[\s\S]*?\*\//gm, '')
    const [, ...uses] = source.split(`'${code}', `)
    return uses.map((text) => ({ file, details: upToClosing(text) }))
  })
}

/** Up to the bracket that closes the call. */
function upToClosing(text: string): string {
  let depth = 1
  const end = Array.from(text).findIndex((character) => {
    if ('([{'.includes(character)) depth += 1
    if (')]}'.includes(character)) depth -= 1
    return depth === 0
  })
  return text.slice(0, end)
}

describe.each(['NOT_FOUND', 'TOOL_NOT_FOUND', 'MEMORY_NOT_FOUND', 'CHECKPOINT_NOT_FOUND'])('%s', (code) => {
  const uses = usesOf(code)

  it('is found in the sources', () => {
    expect(uses.length).toBeGreaterThan(0)
  })

  it('names the thing', () => {
    expect(uses.filter(({ details }) => vague.test(details))).toEqual([])
  })

  it('has a hint', () => {
    const isComplete = (details: string): boolean => /\b(?:hint|name)\b|missingThing\(/.test(details)
    const incomplete = uses.filter(({ details }) => code === 'NOT_FOUND' && !isComplete(details))
    expect(incomplete).toEqual([])
  })
})
