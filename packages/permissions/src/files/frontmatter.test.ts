import { describe, expect, it } from 'vitest'

import { readFrontmatter, type Frontmatter } from './frontmatter.ts'

function accepted(text: string): Frontmatter {
  const read = readFrontmatter(text)
  if (read?.ok !== true) throw new Error(read?.message ?? 'none')
  return read
}

describe('readFrontmatter', () => {
  it('returns values with their positions', () => {
    const text = '---\nname: scan\ntools:\n  - Read\n  - "Bash"\nhooks:\n  Stop: [{ a: 1 }]\n---\nBody'
    const { value, locate, body } = accepted(text)
    expect(value).toEqual({ name: 'scan', tools: ['Read', 'Bash'], hooks: { Stop: [{ a: 1 }] } })
    expect(text.slice(body)).toBe('Body')
    const cut = (path: readonly (string | number)[], part?: 'key'): string | undefined => {
      const span = locate(path, part)
      return span && `${span.line}:${span.column} ${text.slice(span.start, span.end)}`
    }
    expect(cut(['name'])).toBe('2:7 scan')
    expect(cut(['name'], 'key')).toBe('2:1 name')
    expect(cut(['tools', 1])).toBe('5:5 "Bash"')
    expect(cut(['hooks', 'Stop', 0, 'a'], 'key')).toBe('7:12 a')
    expect(cut(['tools', 2])).toBeUndefined()
    expect(cut(['name', 'x'])).toBeUndefined()
    expect(cut(['other'])).toBeUndefined()
  })

  it.each(['', 'text', 'a\n---\nb: 1\n---\n', '---\nname: x\n', '--- x\n---\n'])(
    'finds none in %j',
    (text) => {
      expect(readFrontmatter(text)).toBeUndefined()
    },
  )

  it.each([
    ['---\n---\nbody', {}],
    ['---\n# nothing\n---\n', {}],
    ['---\n- a list\n---\n', {}],
    ['\uFEFF---\r\na: 1\r\n---\r\nbody', { a: 1 }],
    ['---\na: yes\nb: 2026-01-01\nc: ~\n---', { a: 'yes', b: '2026-01-01', c: null }],
    ['---\n__proto__: { x: 1 }\n---\n', JSON.parse('{"__proto__": {"x": 1}}')],
  ])('reads %j', (text, value) => {
    expect(accepted(text).value).toEqual(value)
  })

  it('includes a byte order mark in its offsets', () => {
    const text = '\uFEFF---\na: one\n---\nbody'
    const { locate, body } = accepted(text)
    expect(text.slice(locate(['a'])?.start, locate(['a'])?.end)).toBe('one')
    expect(text.slice(body)).toBe('body')
  })

  it('uses the last of duplicate keys and lists overridden ones, or rejects them', () => {
    const text = '---\na: 1\nb: 2\na: 3\n---\n'
    expect(accepted(text)).toMatchObject({
      value: { a: 3, b: 2 },
      voided: [{ key: 'a', line: 2, column: 1 }],
    })
    expect(accepted(text).locate(['a'])).toMatchObject({ line: 4 })
    expect(readFrontmatter(text, { uniqueKeys: true })).toMatchObject({ ok: false, line: 4 })
  })

  it.each([
    ['---\nok: 1\na: [1\n---\nbody'],
    ['---\nok: 1\na: "open\n---\nbody'],
    [`---\na: ${'['.repeat(20_000)}\n---\nbody`],
    [
      `---\na: &a [x]\n${Array.from({ length: 30 }, (_, n) => `b${n}: &b${n} [*${n === 0 ? 'a' : `b${n - 1}`}, *${n === 0 ? 'a' : `b${n - 1}`}]`).join('\n')}\n---\nbody`,
    ],
    [`---\na: ${'x'.repeat(70_000)}\n---\nbody`],
  ])('reports invalid and oversized YAML', (text) => {
    const read = readFrontmatter(text)
    expect(read).toMatchObject({ ok: false, message: expect.any(String) as string })
    expect(text.slice(read?.body)).toBe('body')
  })
})
