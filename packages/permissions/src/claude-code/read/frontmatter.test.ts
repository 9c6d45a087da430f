import { describe, expect, it } from 'vitest'

import { readClaudeFrontmatter } from './frontmatter.ts'

function accepted(text: string) {
  const read = readClaudeFrontmatter(text)
  if (read?.ok !== true) throw new Error(read?.message ?? 'none')
  return read
}

describe('readClaudeFrontmatter', () => {
  it.each([
    [
      'a colon in a value',
      'description: when: always: x\ntools: Read',
      { description: 'when: always: x', tools: 'Read' },
    ],
    ['a list that is none', 'tools: [Read\nname: x', { tools: '[Read', name: 'x' }],
    ['quotes inside', 'description: say "a": b\\c', { description: 'say "a": b\\c' }],
    ['tabs', 'hooks:\n\tStop: 1\ndescription: a: b', { hooks: { Stop: 1 }, description: 'a: b' }],
    [
      'a valid list next to it',
      'tools: [Read, Bash]\ndescription: a: b',
      { tools: ['Read', 'Bash'], description: 'a: b' },
    ],
  ])('retries invalid YAML with quotes: %s', (_what, yaml, value) => {
    expect(accepted(`---\n${yaml}\n---\nbody`).value).toEqual(value)
  })

  it('maps positions after a retry', () => {
    const text = '---\ndescription: a: b\nhooks:\n\tStop: one\ntools: Read, Bash\n---\n'
    const { locate } = accepted(text)
    const cut = (...path: string[]): string => {
      const span = locate(path)
      return `${span?.line}:${span?.column} ${text.slice(span?.start, span?.end)}`
    }
    expect(cut('description')).toBe('2:14 a: b')
    expect(cut('hooks', 'Stop')).toBe('4:8 one')
    expect(cut('tools')).toBe('5:8 Read, Bash')
  })

  it('ends at the first three dashes, also inside a line', () => {
    const text = '---\nname: x\ndescription: a --- b\ntools: Read\n---\n'
    const { value, body } = accepted(text)
    expect(value).toEqual({ name: 'x', description: 'a' })
    expect(text.slice(body)).toBe('b\ntools: Read\n---\n')
  })

  it.each(['\n---\nname: x\n---\n', '---\nname: x\n', 'name: x'])('finds none in %j', (text) => {
    expect(readClaudeFrontmatter(text)).toBeUndefined()
  })

  it('stays fast on unclosed frontmatter', () => {
    expect(readClaudeFrontmatter(`---${' \n'.repeat(200_000)}`)).toBeUndefined()
  })

  it('skips blank lines after the first dashes', () => {
    const text = '---\n\n \nname: x\n---\n\nbody'
    expect(accepted(text).locate(['name'])).toMatchObject({ line: 4, column: 7 })
    expect(text.slice(accepted(text).body)).toBe('body')
  })

  it('reports YAML that is invalid even with quotes', () => {
    expect(readClaudeFrontmatter('---\nname: x\ndescription: "open\n---\n')).toMatchObject({ ok: false })
  })
})
