import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { lesson, memoryCommandHere, type Listed } from '../../../../test/support/memory-command.ts'
import { sampleSecrets } from '../../../../test/support/registry.ts'

const { home, run, json, seed, ids, events } = memoryCommandHere()

describe('export and import', () => {
  const [secret = ''] = sampleSecrets(1)

  test('round-trips JSON lines, importing each memory once', async () => {
    await seed()
    const before = (await run(['export'])).out()
    expect(before.trim().split('\n')).toHaveLength(3)
    const again = await run(['import', '-'], { piped: before })
    expect(again.out()).toBe('Added: 0 memories, replaced: 0, unchanged: 3.\n')
    await run(['delete', 'mem_1', 'mem_2', 'mem_3', '--yes'])
    expect((await run(['import', '-'], { piped: before })).out()).toBe(
      'Added: 3 memories, replaced: 0, unchanged: 0.\n',
    )
    const after = (await run(['export'])).out()
    expect(after.trim().split('\n').sort()).toEqual(before.trim().split('\n').sort())
  })

  test('does not import hidden characters', async () => {
    await seed()
    const exported = (await run(['export'])).out()
    await run(['delete', 'mem_1', 'mem_2', 'mem_3', '--yes'])
    const hidden = `\u200B${String.fromCodePoint(0xe0041)}\u202E`
    const piped = exported.replaceAll('lesson', `les${hidden}son`).replaceAll('Lesson', `Les${hidden}son`)
    expect(piped).not.toBe(exported)
    await run(['import', '-'], { piped })
    expect((await run(['export'])).out().trim().split('\n').sort()).toEqual(
      exported.trim().split('\n').sort(),
    )
  })

  test('supports Markdown files', async () => {
    await seed()
    const { out } = await run(['export', 'kept', '--format', 'markdown'])
    expect(out()).toBe('Exported: 3 memories to kept.\n')
    const folder = join(home().project, 'kept')
    expect(readdirSync(folder).sort()).toEqual([1, 2, 3].map((n) => `lesson-${n}-mem_${n}.md`))
    await run(['edit', 'mem_1', '--title', 'Another'])
    await run(['delete', 'mem_3', '--yes'])
    const again = await run(['export', 'kept', '--format', 'markdown'])
    expect(readdirSync(folder).sort()).toEqual(['another-mem_1.md', 'lesson-2-mem_2.md', 'lesson-3-mem_3.md'])
    expect(again.err()).toContain('1 file')
    expect(await json(['import', 'kept'])).toEqual({
      dry_run: false,
      added: 1,
      replaced: 0,
      unchanged: 2,
      left: 0,
      different: [],
    })
  })

  test('does not write outside a folder that contains a link', async () => {
    await seed()
    const outside = home().write('profile', 'mine')
    const folder = join(home().project, 'kept')
    mkdirSync(folder)
    symlinkSync(outside, join(folder, 'lesson-1-mem_1.md'))
    expect((await run(['export', 'kept', '--format', 'markdown'])).code()).toBe(0)
    expect(readFileSync(outside, 'utf8')).toBe('mine')
    expect(lstatSync(join(folder, 'lesson-1-mem_1.md')).isFile()).toBe(true)
    expect((await json(['import', 'kept'])).unchanged).toBe(3)
  })

  test('reports a pipe in a folder instead of waiting for it', async () => {
    await seed()
    await run(['export', 'kept', '--format', 'markdown'])
    execFileSync('mkfifo', [join(home().project, 'kept', 'pipe.md')])
    const { code, err } = await run(['import', 'kept'])
    expect([code(), err()]).toEqual([65, expect.stringContaining('pipe.md is not a regular file')])
  })

  test('detects an impossible time before importing anything', async () => {
    const many = Array.from({ length: 120 }, (_, n) => lesson(1, { id: `mem_a${n}` }))
    const early = lesson(1, { id: 'mem_b', created: '1969-12-31T00:00:00Z' })
    const { err } = await run(['import', '-'], { piped: [...many, early].join('\n') })
    expect(err()).toContain('stdin:121')
    expect(await ids()).toEqual([])
    expect((await seed(...many)).out()).toContain('Added: 120 memories')
  })

  test('exports no text that has since become a known secret', async () => {
    const value = ['Quiet-Osprey', 'Bridge-92'].join('-')
    await seed(lesson(1, { content: `At the door say ${value} and wait.` }))
    expect((await run(['export'])).out()).toContain(value)
    await seed(lesson(2, { content: `password=${value}` }))
    const exported = (await run(['export'])).out()
    expect(exported).not.toContain(value)
    expect(exported).toContain('At the door say [SECRET_1] and wait.')
  })

  test('writes a file completely or not at all', async () => {
    await seed()
    expect(await json(['export', 'all.jsonl'])).toEqual({ exported: 3, path: 'all.jsonl' })
    expect((await run(['import', 'all.jsonl'])).out()).toContain('unchanged: 3')
    expect((await run(['export', 'no/such/all.jsonl'])).code()).toBe(2)
    expect(readdirSync(home().project)).toEqual(['all.jsonl'])
    expect((await run(['export', '--format', 'markdown'])).code()).toBe(2)
  })

  test('reports a changed memory, and replaces it on request', async () => {
    await seed()
    const other = lesson(1, { content: 'Do it otherwise.' })
    const kept = await run(['import', '-'], { piped: other })
    expect(kept.out()).toBe('Added: 0 memories, replaced: 0, unchanged: 0.\n')
    expect(kept.err()).toContain('existing, different and kept: mem_1; --replace')
    const dry = await json(['import', '-', '--replace', '--dry-run'], { piped: other })
    expect(dry).toMatchObject({ dry_run: true, replaced: 1, different: [] })
    expect((await json<Listed>(['get', 'mem_1'])).memories[0]?.content).toBe('Do 1.')
    expect(await json(['import', '-', '--replace'], { piped: other })).toMatchObject({ replaced: 1 })
    expect((await json<Listed>(['get', 'mem_1'])).memories[0]?.content).toBe('Do it otherwise.')
  })

  test('reports errors with their location, and imports nothing', async () => {
    home().write('project/bad.jsonl', `${lesson(1)}\n\n{"title": "x"}\n`)
    const { err, code, out } = await run(['import', 'bad.jsonl'])
    expect(err()).toMatch(
      /^MEMORY_FILE_INVALID: bad\.jsonl:3:1: description: expected a string, found nothing \(and 2 more\)\n/,
    )
    expect([out(), code(), await ids()]).toEqual(['', 65, []])
    writeFileSync(join(home().project, 'binary.jsonl'), Buffer.from([0xff, 0xfe, 0x0a]))
    expect((await run(['import', 'binary.jsonl'])).err()).toContain('binary.jsonl:1:1: is not UTF-8 text')
    mkdirSync(join(home().project, 'empty'))
    expect((await run(['import', 'empty'])).code()).toBe(65)
    expect((await run(['import', 'nowhere.jsonl'])).code()).toBe(12)
    home().write('project/good.jsonl', lesson(1))
    expect((await run(['import', 'good.jsonl'])).code()).toBe(0)
    expect(await ids()).toEqual(['mem_1'])
  })

  test('assigns memories of another project as the user requests', async () => {
    await run(['import', '-', '--project', '.'], { piped: lesson(1, { project: '/somewhere/else' }) })
    expect((await json<Listed>(['list'])).memories).toMatchObject([{ project: home().project }])
  })

  test('neither stores nor exports a secret, and finds it again for its owner', async () => {
    await run(['import', '-'], { piped: lesson(1, { content: `use ${secret} here` }) })
    const out = (await run(['export'])).out()
    expect(out).not.toContain(secret)
    expect(JSON.parse(out)).toMatchObject({
      content: 'use [SECRET_1] here',
      tokens_of: expect.stringMatching(/^export-/),
    })
    expect(await json(['import', '-'], { piped: out })).toMatchObject({
      added: 0,
      unchanged: 1,
      different: [],
    })
    await run(['delete', 'mem_1', '--yes'])
    await run(['import', '-'], { piped: out })
    expect((await run(['get', 'mem_1'])).out()).toContain('use [SECRET_1] here')
    // The same text under a name that no export of this store has.
    const foreign = out.replace(/"tokens_of":"[^"]+"/, '"tokens_of":"operator"').replace('mem_1', 'mem_2')
    await run(['import', '-'], { piped: foreign })
    expect((await run(['get', 'mem_2'])).out()).toContain('use [SECRET_FORGOTTEN] here')
    const database = readFileSync(join(home().path, 'state', 'contextd.db'))
    expect(database.includes(secret)).toBe(false)
  })

  test("records the operator's actions", async () => {
    await seed(lesson(1))
    await run(['export'])
    expect(events()).toEqual([
      { event: 'memory-exported', count: 1 },
      { event: 'memory-imported', added: 1, replaced: 0 },
    ])
  })
})
