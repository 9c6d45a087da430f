/** One long session: the model is sent the same bytes again in each request, and never a secret. */

import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import { follow, found, messagesOf, thoughtsIn, type Scripts, type Turn } from '../scripted-model.ts'
import { kindsIn, plantedFiles } from './kinds.ts'
import { openLab, routes, type Lab } from './lab.ts'
import { kindsLeaked } from './leaks.ts'
import { prefixBreaks } from './prefix.ts'
import { bash, edit, read } from './uses.ts'

const names = Object.keys(plantedFiles)
const turnsEach = 50

const fileOf = (number: number): string => names[Math.floor(number / 5) % names.length]!
const lastLine = (number: number): string => `line ${number}, the last line`

/** Every fifth turn is of the same sort, on another file. */
function turnOf(project: string, number: number): Turn {
  const id = `turn-${number}`
  const name = fileOf(number)
  const file = join(project, name)
  switch (number % 5) {
    case 0:
      return [read(id, file)]
    case 1:
      return {
        thinking: `Turn ${number}: the token was ${found('GITHUB_TOKEN=(\\S+)')}, I think.`,
        say: [bash(id, `tail -n 3 ${name}; echo turn ${number}`)],
      }
    case 2:
      return [edit(id, file, 'last line', lastLine(number))]
    case 3:
      return [bash(id, `head -n 4 ${name} >&2; exit ${number % 7}`)]
    default:
      return [bash(id, `cat ${name}`), bash(`${id}-b`, `base64 ${name}`), read(`${id}-c`, file)]
  }
}

const scripts = (project: string): Scripts => {
  const turns = (from: number): Turn[] => [
    ...Array.from({ length: turnsEach }, (_, index) => turnOf(project, from + index)),
    'so far',
  ]
  return {
    first: turns(0),
    second: turns(turnsEach),
    third: turns(2 * turnsEach),
    summary: ['<analysis>all of it</analysis><summary>We read files.</summary>'],
    after: [[bash('after', 'cat notes.md')], 'done'],
  }
}

const allTurns = Array.from({ length: 3 * turnsEach }, (_, number) => number)
const editTurns = allTurns.filter((number) => number % 5 === 2)
/** Their commands exit with another code than 0. */
const failingTurns = allTurns.filter((number) => number % 5 === 3 && number % 7 !== 0)

/** What is in the files when all edits were made. */
function editedFiles(): Record<string, string> {
  const files = { ...plantedFiles }
  for (const number of editTurns) {
    files[fileOf(number)] = files[fileOf(number)]!.replace('last line', lastLine(number))
  }
  return files
}

/** The turns of these whose result is in the request, by whether the client said that the tool failed. */
function resultsOf(body: string, turns: readonly number[]): { failed: number[]; worked: number[] } {
  const blocks = messagesOf(JSON.parse(body)).flatMap(({ content }): Json[] =>
    Array.isArray(content) ? content : [],
  )
  const results = new Map(blocks.filter(isJsonObject).map((block) => [block.tool_use_id, block]))
  const isError = (number: number): Json | undefined => results.get(`turn-${number}`)?.is_error
  const answered = turns.filter((number) => results.has(`turn-${number}`))
  return {
    failed: answered.filter((number) => isError(number) === true),
    worked: answered.filter((number) => isError(number) !== true),
  }
}

const bodiesOf = (lab: Lab, ...wanted: readonly string[]): string[] =>
  lab.requests.filter(({ script }) => wanted.includes(script ?? '')).map(({ text }) => text)

describe.each(routes)('150 turns, resumed twice, %s', (route) => {
  test(
    'the same bytes again, also after a restart of contextd, and no secret after /compact',
    { timeout: 400_000 },
    async () => {
      const lab = await openLab(route, scripts)
      await lab.say(follow('first'))
      await lab.say(follow('second'))
      await lab.restartDaemon()
      await lab.say(follow('third'))
      const turns = bodiesOf(lab, 'first', 'second', 'third')
      expect(turns).toHaveLength(3 * (turnsEach + 1))
      expect(prefixBreaks(turns)).toEqual([])
      expect(resultsOf(turns.at(-1)!, editTurns)).toEqual({ failed: [], worked: editTurns })
      expect(resultsOf(turns.at(-1)!, failingTurns)).toEqual({ failed: failingTurns, worked: [] })
      const files = Object.fromEntries(names.map((name) => [name, lab.file(name)]))
      expect(files).toEqual(editedFiles())

      const thoughts = thoughtsIn(lab.requests.at(-1)!.body)
      expect(thoughts).toHaveLength(30)
      expect(thoughts.filter(({ isSigned }) => !isSigned)).toEqual([])
      expect(thoughts[0]!.thinking).toMatch(lab.hasDoor ? /was \[SECRET_\d+\],/ : /was ghp_/)

      await lab.say(`/compact ${follow('summary')}`)
      expect(bodiesOf(lab, 'summary')).toHaveLength(1)
      await lab.say(follow('after'))
      const after = bodiesOf(lab, 'after')
      expect(after[0]).toContain('We read files.')
      // The client reads files again by itself, for the conversation that goes on.
      expect(after[0]).toContain('Result of calling the Read tool')
      expect(lab.leaked()).toEqual(lab.hasDoor ? [] : kindsIn())
      expect(kindsLeaked(after).length).toBeGreaterThanOrEqual(lab.hasDoor ? 0 : 10)
    },
  )
})
