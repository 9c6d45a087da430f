import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { memoryCommandHere, type Listed } from '../../../../test/support/memory-command.ts'
import { sampleSecrets } from '../../../../test/support/registry.ts'

const { home, run, json, ids, events } = memoryCommandHere()
const write = (name: string, text: string): void => writeFileSync(join(home().project, name), text)
const titles = async (): Promise<string[]> =>
  (await json<Listed>(['list'])).memories.map(({ title }) => title)

const notes = `Above any heading.

# Build

Run make. Then test.

## On Linux

\`\`\`sh
# not a heading
apt install x
\`\`\`

Setext
------

Below a line.

# Empty
`

describe('Markdown that is not a memory', () => {
  test('becomes one memory for each section, once', async () => {
    write('notes.md', notes)
    const counts = { replaced: 0, left: 0, different: [] }
    const dry = await json(['import', 'notes.md', '--dry-run'])
    expect(dry).toEqual({ dry_run: true, added: 4, unchanged: 0, ...counts })
    expect(await ids()).toEqual([])
    expect(await json(['import', 'notes.md'])).toEqual({ dry_run: false, added: 4, unchanged: 0, ...counts })
    expect((await titles()).sort()).toEqual(['Build', 'Build > On Linux', 'Build > Setext', 'notes'])
    const again = await run(['import', 'notes.md'])
    expect(again.out()).toBe('Added: 0 memories, replaced: 0, unchanged: 4.\n')
    const { memories } = await json<Listed>(['get', ...(await ids())])
    const linux = memories.find(({ title }) => title.endsWith('On Linux'))
    expect(linux).toMatchObject({
      content: '```sh\n# not a heading\napt install x\n```',
      description: 'not a heading',
      tags: ['notes'],
      outcome: 'success',
      agent: 'operator',
    })
    expect(memories.find(({ title }) => title === 'Build')?.description).toBe('Run make.')
  })

  test('in a folder is imported next to memories, and what is said twice once', async () => {
    write('a.md', '# Ports\n\nAsk the port.\n')
    write('b.md', '# Other\n\nSomething.\n')
    write('c.md', '---\ntitle: T\ndescription: D\noutcome: failure\n---\n\nText.\n')
    expect(await json(['import', '.'])).toMatchObject({ added: 3 })
    expect((await titles()).sort()).toEqual(['Other', 'Ports', 'T'])
    write('twice.md', '# Same\n\nAgain.\n\n# Same\n\nAgain.\n')
    expect(await json(['import', 'twice.md'])).toMatchObject({ added: 1 })
  })

  test('may have front matter of other programs; that of memories is checked', async () => {
    write('blog.md', '---\ntitle: Post\nlayout: wide\n---\n\n# Heading\n\nText.\n')
    expect(await json(['import', 'blog.md'])).toMatchObject({ added: 1 })
    expect(await titles()).toEqual(['Heading'])
    write('wrong.md', '---\ntitle: T\ndescription: D\noutcome: sucess\n---\n\nText.\n')
    const refused = await run(['import', 'wrong.md'])
    expect([refused.code(), refused.err()]).toEqual([65, expect.stringContaining('wrong.md:4')])
  })

  test('is cut where a section is long, and scrubbed', async () => {
    const [secret = ''] = sampleSecrets(1)
    const paragraph = `${'word '.repeat(100)}\n\n`
    write('long.md', `# Long\n\n${paragraph.repeat(30)}\n# Key\n\nThe key is ${secret} here.\n`)
    await run(['import', 'long.md'])
    const { memories } = await json<Listed>(['get', ...(await ids())])
    const parts = memories.filter(({ title }) => title === 'Long')
    expect(parts.length).toBeGreaterThan(1)
    for (const { content } of parts) expect(content.length).toBeLessThanOrEqual(4000)
    expect(memories.find(({ title }) => title === 'Key')?.content).toBe('The key is [SECRET_1] here.')
  })
})

test('a key that is longer than a part of a section is not stored in parts', async () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 4096,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const text = `# Long\n\n${'word\n'.repeat(40)}${privateKey}\n${'word\n'.repeat(40)}`
  write('key.md', text)
  expect(await json(['import', 'key.md'])).toMatchObject({ added: 2 })
  const { memories } = await json<Listed>(['get', ...(await ids())])
  const stored = JSON.stringify(memories)
  expect(stored).toContain('[SECRET_1]')
  const lines = privateKey.split('\n').filter((line) => line.length === 64)
  expect(lines.length).toBeGreaterThan(40)
  expect(lines.filter((line) => stored.includes(line))).toEqual([])
  expect(await json(['import', 'key.md'])).toMatchObject({ added: 0, unchanged: 2 })
})

describe('add', () => {
  test('stores a text as the user, and records it', async () => {
    const text = 'Run the tests with TZ=UTC. They fail elsewhere.'
    const { id } = await json(['add', text, '--tags', 'tests, time', '--scope', 'user'])
    const { memories } = await json<Listed>(['get', String(id)])
    expect(memories).toEqual([
      expect.objectContaining({
        content: text,
        title: 'Run the tests with TZ=UTC.',
        description: 'Run the tests with TZ=UTC.',
        outcome: 'success',
        tags: ['tests', 'time'],
        scope: 'user',
        agent: 'operator',
      }),
    ])
    const similar = await run(['add', text, '--title', 'Again', '--outcome', 'failure'])
    expect(similar.out()).toMatch(/^Stored: mem_\w+\.\n$/)
    expect(events()).toMatchObject([{ event: 'memory-added' }, { event: 'memory-added', id }])
  })

  test('reads a file and stdin, and stores no secret', async () => {
    const [secret = ''] = sampleSecrets(1)
    write('lesson.txt', `Never print ${secret} anywhere.\n`)
    expect((await run(['add', '--file', 'lesson.txt'])).code()).toBe(0)
    expect((await run(['add', '-'], { piped: `The other is ${secret} too.` })).code()).toBe(0)
    const { memories } = await json<Listed>(['get', ...(await ids())])
    expect(memories.map(({ content }) => content).sort()).toEqual([
      'Never print [SECRET_1] anywhere.',
      'The other is [SECRET_1] too.',
    ])
  })

  test('makes no title of half a secret', async () => {
    const [secret = ''] = sampleSecrets(1)
    const start = `${'x'.repeat(49)}=`
    await run(['add', `${start}${secret}&${'y'.repeat(60)}`])
    const { memories } = await json<Listed>(['get', ...(await ids())])
    expect(memories[0]?.content).toBe(`${start}[SECRET_1]&${'y'.repeat(60)}`)
    expect(memories[0]?.title).toBe(`${start}[SECRET_1]…`)
  })

  test.each([
    [[], 2, /^USAGE: give the text of the memory/],
    [['x', '--file', 'y'], 2, /^USAGE: give the text either/],
    [['x', '--outcome', 'sucess'], 2, /Did you mean success/],
    [['--file', 'none.txt'], 12, /^NOT_FOUND: There is no file none\.txt/],
    [['x', '--title', 'x'.repeat(300)], 2, /title: at most 200 characters/],
  ])('refuses %j', async (argv, exit, message) => {
    const { code, err } = await run(['add', ...argv])
    expect(err()).toMatch(message)
    expect(code()).toBe(exit)
  })

  test('is for the user', async () => {
    const refused = await run(['add', 'x'], { env: { CLAUDECODE: '1' } })
    expect(refused.err()).toMatch(/^OPERATOR_REQUIRED/)
    expect(await ids()).toEqual([])
  })
})
