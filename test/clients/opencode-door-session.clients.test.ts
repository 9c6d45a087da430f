/** One long session of OpenCode behind the model door, with everything that tools, servers and the user can bring into it. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { describe, expect, test } from 'vitest'

import { kindsIn, plantedFiles } from './door/kinds.ts'
import { kindsLeaked } from './door/leaks.ts'
import { prefixBreaks } from './door/prefix.ts'
import { opencodeBash as bash } from './opencode.ts'
import { openOpencodeLab, type OpencodeLab } from './opencode-door-lab.ts'
import { follow, type Scripts, type ToolUse, type Turn } from './scripted-model.ts'

const names = Object.keys(plantedFiles)
const all = names.join(' ')
const turnsEach = 50

const read = (id: string, filePath: string): ToolUse => ({ id, tool: 'read', input: { filePath } })
const edit = (id: string, filePath: string, oldString: string, newString: string): ToolUse => ({
  id,
  tool: 'edit',
  input: { filePath, oldString, newString },
})

const together = (project: string): ToolUse[] =>
  names.flatMap((name) => [
    bash(`cat-${name}`, `cat ${name}`),
    read(`read-${name}`, join(project, name)),
    bash(`base64-${name}`, `base64 -w0 ${name}`),
  ])
const inJson = `node -e 'console.log(JSON.stringify(process.argv.slice(1).map((f) => fs.readFileSync(f, "utf8"))))' ${all}`
const oneByOne: readonly ToolUse[] = [
  bash('failing', `cat ${all} >&2; exit 3`),
  bash('json', inJson),
  { id: 'server-fails', tool: 'leaky_fail', input: {} },
  { id: 'server-throws', tool: 'leaky_throw', input: {} },
  { id: 'server-answers', tool: 'leaky_describe', input: {} },
]

/** Every fifth turn is of the same sort, on another file. */
function turnOf(project: string, number: number): Turn {
  const id = `turn-${number}`
  const name = names[Math.floor(number / 5) % names.length]!
  const file = join(project, name)
  switch (number % 5) {
    case 0:
      return [read(id, file), bash(`${id}-b`, `base64 ${name}`)]
    case 1:
      return [edit(id, file, 'last line', `line ${number}, the last line`)]
    case 2:
      return {
        // As someone who has the file open in an editor.
        before: () =>
          writeFileSync(file, readFileSync(file, 'utf8').replace('first line', 'first line of all')),
        say: [bash(id, `tail -n 3 ${name}; echo turn ${number}`)],
      }
    case 3:
      return [bash(id, `head -n 4 ${name} >&2; exit ${number % 7}`)]
    default:
      return [read(id, file)]
  }
}

const scripts = (project: string): Scripts => {
  const turns = (from: number): Turn[] => [
    ...Array.from({ length: turnsEach }, (_, index) => turnOf(project, from + index)),
    'so far',
  ]
  return {
    tools: [together(project), ...oneByOne.map((use) => [use]), 'done'],
    mention: ['I see'],
    first: turns(0),
    second: turns(turnsEach),
    third: turns(2 * turnsEach),
    full: [{ say: [bash('last', 'cat settings.env')], read: 199_000 }],
    after: [[bash('after', 'cat notes.md')], 'done'],
  }
}

const bodiesOf = (lab: OpencodeLab, ...wanted: readonly string[]): string[] =>
  lab.requests.filter(({ script }) => wanted.includes(script ?? '')).map(({ text }) => text)

const saidByServer = ['publish.toml', 'notes.md', 'service.json', 'config.yaml', 'client.ts']

const leakyServer = (project: string): string[] => [
  process.execPath,
  resolve('test/clients/door/leaky-server.mjs'),
  ...saidByServer.map((name) => join(project, name)),
]

describe.each(['through the door', 'without contextd'] as const)('a long session, %s', (route) => {
  const hasDoor = route === 'through the door'

  test(
    'tools, servers, mentioned files, 150 turns, a restart of contextd and a compacted context',
    { timeout: 500_000 },
    async () => {
      const lab = await openOpencodeLab(route, scripts, {
        files: names,
        config: (project) => ({ mcp: { leaky: { type: 'local', command: leakyServer(project) } } }),
      })
      const run = await lab.say(follow('tools'))
      const ids = [...together(''), ...oneByOne].map(({ id }) => id)
      const leaking = ids.filter((id) => kindsLeaked([JSON.stringify(run.saw(id).text)]).length > 0)
      expect(leaking).toEqual(hasDoor ? [] : ids)
      for (const name of names) expect(run.saw(`cat-${name}`).text).toContain(`last line of ${name}`)

      await lab.say(follow('mention'), '--file', 'settings.env', '--file', 'deploy.pem')
      const mentioned = bodiesOf(lab, 'mention').at(-1)!
      expect(mentioned).toContain('first line of settings.env')

      await lab.say(follow('first'))
      await lab.say(follow('second'))
      await lab.restartDaemon()
      await lab.say(follow('third'))
      const turns = bodiesOf(lab, 'first', 'second', 'third')
      expect(turns).toHaveLength(3 * (turnsEach + 1))
      expect(prefixBreaks(turns)).toEqual([])

      await lab.say(follow('full'))
      await lab.say(follow('after'))
      expect(bodiesOf(lab, 'after').at(-1)!.length).toBeLessThan(turns.at(-1)!.length)
      expect(lab.leaked()).toEqual(hasDoor ? [] : kindsIn())
    },
  )
})
