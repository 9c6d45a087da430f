/**
 * OpenCode behind the model door, with everything that tools, servers and the user can bring into a session. It has no tasks
 * in the background; `--file` is what `@file` is in its prompts.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { describe, expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import type { Place } from './client-run.ts'
import { kindsIn, plantedFiles } from './door/kinds.ts'
import { kindsLeaked } from './door/leaks.ts'
import { prefixBreaks } from './door/prefix.ts'
import { opencodeBash as bash } from './opencode.ts'
import { openOpencodeLab, packages, type OpencodeLab } from './opencode-door-lab.ts'
import { follow, found, type Scripts, type ToolUse, type Turn } from './scripted-model.ts'

const routes = ['through the door', 'without contextd'] as const
const names = Object.keys(plantedFiles)
const all = names.join(' ')

const read = (id: string, filePath: string): ToolUse => ({ id, tool: 'read', input: { filePath } })

const together = (project: string): ToolUse[] =>
  names.flatMap((name) => [
    bash(`cat-${name}`, `cat ${name}`),
    read(`read-${name}`, join(project, name)),
    bash(`base64-${name}`, `base64 -w0 ${name}`),
    bash(`base64-lines-${name}`, `(echo ab; cat ${name}) | base64`),
  ])
const inJson = `node -e 'console.log(JSON.stringify(process.argv.slice(1).map((f) => fs.readFileSync(f, "utf8"))))' ${all}`
const oneByOne: readonly ToolUse[] = [
  bash('failing', `cat ${all} >&2; exit 3`),
  bash('json', inJson),
  bash('json-in-json', `${inJson} | node -e 'console.log(JSON.stringify(fs.readFileSync(0, "utf8")))'`),
  { id: 'server-fails', tool: 'leaky_fail', input: {} },
  { id: 'server-throws', tool: 'leaky_throw', input: {} },
  { id: 'server-answers', tool: 'leaky_describe', input: {} },
]

/** The model writes back what it was shown, with another last line. */
function rewrite(project: string, name: string): ToolUse {
  const [begin, end] = [`first line of ${name}`, `last line of ${name}`]
  const between = found(`${begin}\\n([^]*?)${end}`)
  const content = `${begin}\n${between}${end}, written again\n`
  return { id: `write-${name}`, tool: 'write', input: { filePath: join(project, name), content } }
}

const saidByServer = ['publish.toml', 'notes.md', 'service.json', 'config.yaml', 'client.ts']

/** With files of its own: those of the project change. */
function withLeakyServer(place: Place): JsonObject {
  const files = saidByServer.map((name) => place.write(`leaky/${name}`, plantedFiles[name]!))
  const command = [process.execPath, resolve('test/clients/door/leaky-server.mjs'), ...files]
  return { mcp: { leaky: { type: 'local', command } } }
}

const bodiesOf = (lab: OpencodeLab, ...wanted: readonly string[]): string[] =>
  lab.requests.filter(({ script }) => wanted.includes(script ?? '')).map(({ text }) => text)

const messagesIn = (body: string): string => JSON.stringify((JSON.parse(body) as JsonObject).messages)

describe.each(routes)('what tools say, %s', (route) => {
  const hasDoor = route === 'through the door'

  test.each(packages)('commands and files at once, encoded, failing, and a server, %s', async (npm) => {
    const lab = await openOpencodeLab(
      route,
      (project) => ({
        main: [
          together(project),
          ...oneByOne.map((use) => [use]),
          [bash('cat-all', `cat ${all}`)],
          names.map((name) => rewrite(project, name)),
          'done',
        ],
        mention: ['I see'],
      }),
      { npm, files: names, config: withLeakyServer },
    )
    const run = await lab.say(follow('main'))
    const ids = [...together(''), ...oneByOne].map(({ id }) => id)
    const leaking = ids.filter((id) => kindsLeaked([JSON.stringify(run.saw(id).text)]).length > 0)
    expect(leaking).toEqual(hasDoor ? [] : ids)
    for (const name of names) {
      expect(run.saw(`cat-${name}`).text).toContain(`last line of ${name}`)
      const end = `last line of ${name}`
      expect(lab.file(name)).toBe(plantedFiles[name]!.replace(end, `${end}, written again`))
    }
    expect(run.saw('server-fails').text).toContain('connection refused')
    expect(run.saw('server-throws').text).toContain('internal error near')

    await lab.say(follow('mention'), '--file', 'settings.env', '--file', 'deploy.pem')
    const mentioned = bodiesOf(lab, 'mention')
    expect(mentioned.at(-1)).toContain('first line of settings.env')
    expect(lab.leaked()).toEqual(hasDoor ? [] : kindsIn())
  })
})

const turnsEach = 50

/** Every fifth turn is of the same sort, on another file. */
function turnOf(project: string, number: number): Turn {
  const id = `turn-${number}`
  const name = names[Math.floor(number / 5) % names.length]!
  const file = join(project, name)
  switch (number % 5) {
    case 0:
      return [read(id, file), bash(`${id}-b`, `base64 ${name}`)]
    case 1: {
      const [oldString, newString] = ['last line of', `line ${number}, the last line of`]
      return [{ id, tool: 'edit', input: { filePath: file, oldString, newString } }]
    }
    case 2:
      return {
        // As someone who has the file open in an editor.
        before: () => writeFileSync(file, `# ${number}\n${readFileSync(file, 'utf8')}`),
        say: [bash(id, `tail -n 3 ${name}; echo turn ${number}`)],
      }
    case 3:
      return [bash(id, `head -n 4 ${name} >&2; exit ${number % 7}`)]
    default:
      return [read(id, file)]
  }
}

/** What the turns make of the planted files. */
function turned(): Record<string, string> {
  const files = { ...plantedFiles }
  for (let number = 0; number < 3 * turnsEach; number += 1) {
    const name = names[Math.floor(number / 5) % names.length]!
    if (number % 5 === 1)
      files[name] = files[name]!.replace('last line of', `line ${number}, the last line of`)
    if (number % 5 === 2) files[name] = `# ${number}\n${files[name]}`
  }
  return files
}

const turning = (project: string): Scripts => {
  const turns = (from: number): Turn[] => [
    ...Array.from({ length: turnsEach }, (_, index) => turnOf(project, from + index)),
    'so far',
  ]
  return {
    first: turns(0),
    second: turns(turnsEach),
    third: turns(2 * turnsEach),
    full: [{ say: [bash('last', 'cat settings.env')], read: 199_000 }],
    after: [[bash('after', 'cat notes.md')], 'done'],
  }
}

describe.each(routes)('150 turns, resumed twice, %s', (route) => {
  const hasDoor = route === 'through the door'

  test(
    'the same bytes again, also after a restart of contextd, and no secret when the context is compacted',
    { timeout: 500_000 },
    async () => {
      const lab = await openOpencodeLab(route, turning, { files: names })
      await lab.say(follow('first'))
      await lab.say(follow('second'))
      await lab.restartDaemon()
      await lab.say(follow('third'))
      const turns = bodiesOf(lab, 'first', 'second', 'third')
      expect(turns).toHaveLength(3 * (turnsEach + 1))
      expect(prefixBreaks(turns)).toEqual([])
      for (const [name, text] of Object.entries(turned())) expect(lab.file(name)).toBe(text)

      await lab.say(follow('full'))
      await lab.say(follow('after'))
      const after = bodiesOf(lab, 'after')
      expect(after).toHaveLength(2)
      expect(messagesIn(after[0]!).length).toBeLessThan(messagesIn(turns.at(-1)!).length / 2)
      expect(lab.leaked()).toEqual(hasDoor ? [] : kindsIn())
      expect(kindsLeaked(after)).toEqual(hasDoor ? [] : expect.arrayContaining(kindsIn('notes.md')))
    },
  )
})
