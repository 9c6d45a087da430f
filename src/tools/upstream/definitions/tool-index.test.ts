import { expect, it } from 'vitest'

import { inventedTools, sampleQuestions } from './tool-index.samples.ts'
import { findTools, type ServedTool } from './tool-index.ts'

const namesFor = (query: string, tools: readonly ServedTool[] = inventedTools): string[] =>
  findTools(tools, query).map(({ definition }) => definition.name)

it('finds what people ask for among the first three', () => {
  const missed = sampleQuestions.filter(([query, ...wanted]) => {
    const first = new Set(namesFor(query).slice(0, 3))
    return !wanted.some((name) => first.has(name))
  })
  expect(inventedTools.length).toBeGreaterThanOrEqual(40)
  expect(sampleQuestions.length).toBeGreaterThanOrEqual(30)
  expect(missed.length / sampleQuestions.length, JSON.stringify(missed)).toBeLessThanOrEqual(0.1)
})

it.each(inventedTools.map(({ definition }) => definition.name))(
  'puts %s first when its name is the question',
  (name) => {
    expect(namesFor(name)[0]).toBe(name)
    expect(namesFor(name.replace(/[_-]/g, ' ').toUpperCase())[0]).toBe(name)
  },
)

it.each([
  ['a letter too few', 'geocde'],
  ['a letter too many', 'geocoode'],
  ['a wrong letter', 'geokode'],
  ['swapped letters', 'gecoode'],
  ['the start of a word', 'geoc'],
])('forgives %s', (_, query) => {
  expect(namesFor(query)[0]).toBe('geocode')
})

it('returns nothing for an empty query', () => {
  for (const query of ['', ' ', 'the of and', '?!', 'xqzzyvv']) expect(namesFor(query)).toEqual([])
  expect(findTools([], 'anything')).toEqual([])
})

it('finds a tool with an uninformative name', () => {
  const tools = [
    { server: 's', definition: { name: 'use', description: '', inputSchema: { type: 'object' } } },
  ]
  expect(namesFor('use', tools)).toEqual(['use'])
})

it('finds a tool by the name of its server and by its arguments', () => {
  expect(namesFor('painter').slice(0, 5).sort()).toEqual(
    ['convert_format', 'describe_image', 'generate_image', 'remove_background', 'upscale_image'].sort(),
  )
  expect(namesFor('latitude').sort()).toEqual(['elevation', 'nearby_places', 'reverse_geocode'])
})

it('rebuilds the index for a new list', () => {
  const fewer = inventedTools.filter(({ definition }) => definition.name !== 'geocode')
  expect(namesFor('geocode')).toContain('geocode')
  expect(namesFor('geocode', fewer)).not.toContain('geocode')
})

it('preserves the order of equal scores', () => {
  const twins = ['a', 'b', 'c'].map((server) => ({
    server,
    definition: { name: 'same', description: 'The same.', inputSchema: { type: 'object' } },
  }))
  expect(findTools(twins, 'same').map(({ server }) => server)).toEqual(['a', 'b', 'c'])
})
