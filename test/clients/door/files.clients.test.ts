/** What an agent does with files that hold secrets: the model never has them, the files keep them. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { textsIn, type JsonObject } from '@contextd/shared/json/value'
import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import type { ClientRun } from '../client-run.ts'
import { follow, found, type Scripts } from '../scripted-model.ts'
import { kindsIn, plantedFiles, secretOf } from './kinds.ts'
import { openLab, routes, type Lab, type Route } from './lab.ts'
import { isIn, kindsLeaked } from './leaks.ts'
import { bash, edit, read, write } from './uses.ts'

/** As someone who has the file open in an editor. */
function replaceIn(file: string, from: string, to: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
}

const changing = (project: string): Scripts => {
  const [byCommand, byEditor] = [join(project, 'client.ts'), join(project, 'config.yaml')]
  return {
    main: [
      [read('read', byCommand)],
      [edit('edit', byCommand, 'first line', 'line one')],
      [bash('sed', "sed -i 's/last line/line last/' client.ts")],
      [read('read-other', byEditor)],
      [edit('edit-other', byEditor, 'first line', 'line one')],
      {
        before: () => replaceIn(byEditor, 'last line', 'line last'),
        say: [bash('after', 'echo someone was here')],
      },
      'done',
    ],
    mention: ['I see'],
  }
}

/** What the client adds by itself about a file that somebody changed, with the lines around the change. */
function notesIn(run: ClientRun, name: string): string[] {
  const said = run.requests.flatMap(({ body }) => [...textsIn(body.messages ?? null)])
  return said.filter((text) => text.includes(`${name} changed on disk since you last read it`))
}

describe.each(routes)('a file that changes behind the back of the agent, %s', (route) => {
  test('the notes of the client and a mentioned file', async () => {
    const lab = await openLab(route, changing)
    const run = await lab.say(follow('main'))
    for (const name of ['client.ts', 'config.yaml']) {
      const [note] = notesIn(run, name)
      expect(note).toContain(`line last of ${name}`)
      expect(kindsLeaked([JSON.stringify(note)]).length > 0).toBe(!lab.hasDoor)
      const expected = plantedFiles[name]!.replace('first line', 'line one').replace('last line', 'line last')
      expect(lab.file(name)).toBe(expected)
    }
    const mentioned = await lab.say(`What is in @settings.env and @deploy.pem? ${follow('mention')}`)
    expect(mentioned.told('mention')).toContain('first line of settings.env')
    expect(lab.leaked()).toEqual(
      lab.hasDoor ? [] : kindsIn('client.ts', 'config.yaml', 'settings.env', 'deploy.pem'),
    )
  })
})

const inNotebook = makeSample('ghp_{alnum:36}', seededRandom(40)).text
const notebookWith = (source: string): JsonObject => ({
  cells: [
    { cell_type: 'code', id: 'first', metadata: {}, source: [source], outputs: [], execution_count: null },
  ],
  metadata: { language_info: { name: 'python' } },
  nbformat: 4,
  nbformat_minor: 5,
})

/** The model writes what it was shown, whatever that is. */
const shown = (name: string): string => found(`${name}=(\\S+)`)
const writing = (project: string): Scripts => {
  const [env, yaml] = [join(project, 'settings.env'), join(project, 'config.yaml')]
  const [copy, other] = [join(project, 'copy.env'), join(project, 'other.env')]
  const notebook = join(project, 'try.ipynb')
  const rotated = `GITHUB_TOKEN=${shown('GITHUB_TOKEN')} # rotate in May`
  return {
    main: [
      [read('read', env), read('read-yaml', yaml), read('read-other', other)],
      [edit('edit', env, `GITHUB_TOKEN=${shown('GITHUB_TOKEN')}`, rotated)],
      [edit('edit-two', env, `NPM_TOKEN=${shown('NPM_TOKEN')}\n`, '')],
      [
        write(
          'write',
          yaml,
          `# all new\npassword: "${found('password: "([^"]+)"')}"\nmaps_key: ${found('maps_key: (\\S+)')}\n`,
        ),
      ],
      [write('create', copy, `GITHUB_TOKEN=${shown('GITHUB_TOKEN')}\n`)],
      [write('overwrite', other, `OTHER=${shown('DB_PASSWORD')}\n`)],
      [read('read-notebook', notebook)],
      [
        {
          id: 'notebook',
          tool: 'NotebookEdit',
          input: {
            notebook_path: notebook,
            cell_id: 'first',
            new_source: `connect("${found('token = (ghp_\\w+|\\[SECRET_\\d+\\])')}", retries=3)`,
          },
        },
      ],
      [bash('shell', `printf '%s\\n' '${shown('GITLAB_TOKEN')}' > by-shell.txt`)],
      'done',
    ],
  }
}

const backInTheirFiles = ['edit', 'edit-two', 'write', 'notebook']
const elsewhere = ['create', 'overwrite', 'shell']

/** Runs it and checks the files that held the values before. */
async function writeBack(route: Route, hooks = false): Promise<{ lab: Lab; run: ClientRun }> {
  const lab = await openLab(route, writing, {
    hooks,
    prepare(place) {
      place.write('project/other.env', 'OTHER=nothing\n')
      place.write('project/try.ipynb', notebookWith(`token = ${inNotebook}`))
    },
  })
  const run = await lab.say(follow('main'))
  const [github, npm] = [secretOf('github-pat'), secretOf('npm-token')]
  expect(lab.file('settings.env')).toBe(
    plantedFiles['settings.env']!.replace(github, `${github} # rotate in May`).replace(
      `NPM_TOKEN=${npm}\n`,
      '',
    ),
  )
  expect(lab.file('config.yaml')).toBe(
    `# all new\npassword: "${secretOf('yaml-password')}"\nmaps_key: ${secretOf('google-api')}\n`,
  )
  const { cells } = JSON.parse(lab.file('try.ipynb')) as { cells: { source: string }[] }
  expect(cells.map(({ source }) => source)).toEqual([`connect("${inNotebook}", retries=3)`])
  expect(lab.requests.some(({ text }) => isIn(text, inNotebook))).toBe(!lab.hasDoor)
  expect(lab.leaked()).toEqual(lab.hasDoor ? [] : kindsIn('settings.env', 'config.yaml'))
  return { lab, run }
}

describe('writing back what was read: the file holds its values again', () => {
  test('through the door, another file gets the token, and the model learns that', async () => {
    const { lab, run } = await writeBack('through the door')
    expect(lab.file('copy.env')).toMatch(/^GITHUB_TOKEN=\[SECRET_\d+\]\n$/)
    expect(lab.file('other.env')).toMatch(/^OTHER=\[SECRET_\d+\]\n$/)
    expect(lab.file('by-shell.txt')).toMatch(/^\[SECRET_\d+\]\n$/)
    const isNoted = (id: string): boolean => /\[contextd\] .*\[SECRET_\d+\]/.test(run.saw(id).text)
    expect([...backInTheirFiles, ...elsewhere].filter(isNoted)).toEqual(elsewhere)
  })

  test('through the door, with the hooks of contextd init, another file is not written at all', async () => {
    const { lab, run } = await writeBack('through the door', true)
    const isRefused = (id: string): boolean => run.saw(id).isError && /\[SECRET_\d+\]/.test(run.saw(id).text)
    expect([...backInTheirFiles, ...elsewhere].filter(isRefused)).toEqual(elsewhere)
    expect(lab.file('other.env')).toBe('OTHER=nothing\n')
    expect(lab.place.filesWith('[SECRET_').filter((file) => file.startsWith('project/'))).toEqual([
      'project/.claude/rules/contextd.md',
      'project/.claude/skills/contextd/SKILL.md',
    ])
  })

  test('without contextd, every file gets the value, from a model that knows it', async () => {
    const { lab } = await writeBack('without contextd')
    expect(lab.file('copy.env')).toBe(`GITHUB_TOKEN=${secretOf('github-pat')}\n`)
    expect(lab.file('other.env')).toBe(`OTHER=${secretOf('env-password')}\n`)
    expect(lab.file('by-shell.txt')).toBe(`${secretOf('gitlab-pat')}\n`)
  })
})
