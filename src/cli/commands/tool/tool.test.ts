import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { fakeIo, type FakeIo } from '@contextd/shared/testing/cli-io'
import { toolProject, type ToolProject } from '../../../../test/support/tool-packages.ts'
import { openRecords } from '../../../compose.ts'
import { runCli } from '@contextd/shared/cli/output'
import { toolCommand } from './tool.ts'

let place: ToolProject
beforeEach(() => {
  place = toolProject()
})
afterEach(() => place.remove())

async function run(
  argv: string[],
  options: { answer?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<FakeIo> {
  const fake = fakeIo({
    answer: options.answer,
    cwd: place.project,
    env: { CONTEXTD_HOME: place.home, ...options.env },
  })
  await runCli(toolCommand(fake.io), fake.io, argv)
  return fake
}

const json = (fake: FakeIo): unknown => JSON.parse(fake.out())

function events(): string[] {
  const records = openRecords({ CONTEXTD_HOME: place.home })
  try {
    return records.audit.query({ kind: 'event' }).map(({ event }) => String(event))
  } finally {
    records.close()
  }
}

describe('ctxd tool new', () => {
  it('writes a package and prints the next step', async () => {
    const { out, err, code } = await run(['new', 'weather'])
    expect(out().split('\n')).toEqual([
      '.contextd/tools/weather/TOOL.md',
      '.contextd/tools/weather/schema.json',
      '.contextd/tools/weather/capabilities.toml',
      '.contextd/tools/weather/run.sh',
      '',
    ])
    expect([err(), code()]).toEqual(['note: read it, change it, then run `ctxd tool approve weather`\n', 0])
    expect(json(await run(['new', 'other', '--json']))).toMatchObject({
      name: 'other',
      project: place.project,
    })
  })

  it('does not overwrite anything', async () => {
    place.add({ name: 'weather' })
    const { err, code } = await run(['new', 'weather'])
    expect([err().split('\n')[0], code()]).toEqual(['USAGE: .contextd/tools/weather already exists', 2])
  })
})

describe('ctxd tool list', () => {
  it('reports that there are no tools', async () => {
    expect((await run(['list'])).out()).toMatch(/^No tools here\. Use `ctxd tool new/)
    expect(json(await run(['list', '--json']))).toEqual({ project: place.project, tools: [] })
  })

  it('shows the state of each tool, with the reason', async () => {
    place.add({ name: 'good', description: 'Does good.' })
    place.add({ name: 'fresh' })
    place.add({ name: 'safe_bash' })
    place.add({ name: 'torn', files: { 'TOOL.md': '' } })
    await run(['approve', 'good'], { answer: 'y' })
    expect((await run(['list'])).out().split('\n')).toEqual([
      'TOOL       STATE     DESCRIPTION OR PROBLEM',
      'fresh      new       Does something.',
      'good       approved  Does good.',
      'safe_bash  broken    contextd has a built-in tool with this name',
      'torn       broken    TOOL.md: is empty; say in a sentence or two what the tool is for',
      '',
    ])
  })
})

describe('ctxd tool approve', () => {
  const parts = {
    required: ['fs:read:src/**'],
    optional: ['fs:write:out/**'],
    limits: 'max_execution_time = "10s"',
  }

  it("shows the tool's permissions in plain words, and approves it after confirmation", async () => {
    place.add(parts)
    const { out, asked, code } = await run(['approve', 'probe'], { answer: 'y' })
    expect(asked().split('\n')).toEqual([
      `probe in ${place.project}`,
      '  "Does something."',
      '  may read files below src/',
      '  may run for at most 10 s with 64 MB, and answer at most 1 MB',
      '  may ask you later to read and write files below out/',
      expect.stringMatching(/^ {2}TOOL\.md {2}\(16 bytes, sha256 [0-9a-f]{12}\)$/),
      expect.stringMatching(/^ {2}capabilities\.toml {2}\(/),
      expect.stringMatching(/^ {2}runs run\.sh {2}\(/),
      expect.stringMatching(/^ {2}schema\.json {2}\(/),
      'Let agents call probe with its current files? [y/N] ',
    ])
    expect([out(), code(), events()]).toEqual(['Approved: probe\n', 0, ['tool-approved']])
    const again = await run(['approve', 'probe'])
    expect([again.out(), again.asked()]).toEqual(['probe is already approved.\n', ''])
  })

  it('shows changes, and asks again', async () => {
    const folder = place.add(parts)
    await run(['approve', 'probe'], { answer: 'y' })
    writeFileSync(join(folder, 'run.sh'), '#!/bin/bash\necho other\n')
    chmodSync(join(folder, 'run.sh'), 0o755)
    const { asked } = await run(['approve', 'probe'], { answer: 'n' })
    expect(asked().split('\n').slice(0, 2)).toEqual([`probe in ${place.project}`, '  run.sh changed'])
    expect(json(await run(['show', 'probe', '--json']))).toMatchObject({
      state: 'changed',
      why: ['run.sh changed'],
    })
  })

  it('grants a named optional capability', async () => {
    place.add(parts)
    await run(['approve', 'probe'], { answer: 'y' })
    const { asked, out } = await run(['approve', 'probe', '--grant', 'fs:write:out/**', '--json'], {
      answer: 'y',
    })
    expect(asked()).toContain('may read and write files below out/')
    expect(JSON.parse(out())).toMatchObject({
      name: 'probe',
      state: 'approved',
      capabilities: {
        required: ['fs:read:src/**'],
        optional: ['fs:write:out/**'],
        granted: ['fs:read:src/**', 'fs:write:out/**'],
      },
      may_ask_to: [],
    })
  })

  it.each<[string, object, { answer?: string; env?: NodeJS.ProcessEnv }]>([
    ['the user refuses', { code: 'APPROVAL_REQUIRED' }, { answer: '' }],
    ['there is no terminal', { code: 'OPERATOR_REQUIRED' }, {}],
    ['an agent runs it', { code: 'OPERATOR_REQUIRED' }, { answer: 'y', env: { CLAUDECODE: '1' } }],
  ])('approves nothing: %s', async (_, error, options) => {
    place.add(parts)
    const { err, code } = await run(['approve', 'probe', '--json'], options)
    expect([JSON.parse(err()), code()]).toEqual([{ error: expect.objectContaining(error) as object }, 22])
    expect(json(await run(['show', 'probe', '--json']))).toMatchObject({ state: 'new' })
    expect(events()).toEqual([])
  })

  it('escapes text from the package on the terminal', async () => {
    place.add({ files: { 'a\u001B[2Jb': 'x' } })
    const { asked } = await run(['approve', 'probe'], { answer: 'n' })
    expect(asked()).toContain('a\\u{1b}[2Jb')
  })
})

describe('ctxd tool show', () => {
  it('lists every problem', async () => {
    place.add({ files: { 'TOOL.md': '', 'schema.json': '{' } })
    expect((await run(['show', 'probe'])).out().split('\n')).toEqual([
      'probe: broken',
      '  TOOL.md: is empty; say in a sentence or two what the tool is for',
      expect.stringMatching(/^ {2}schema\.json:1:2: /),
      '',
    ])
  })

  it('reports that a tool has no permissions', async () => {
    place.add({})
    expect((await run(['show', 'probe'])).out()).toContain(
      '  can access only its own files, and no network\n',
    )
  })

  it.each(['none', '../..', '.'])('reports the unknown tool %s', async (name) => {
    mkdirSync(join(place.project, '.contextd/tools'), { recursive: true })
    expect((await run(['show', name])).code()).toBe(12)
  })
})

describe('ctxd tool remove', () => {
  it('revokes the approval without asking, and keeps the files', async () => {
    place.add({})
    await run(['approve', 'probe'], { answer: 'y' })
    const { out, code } = await run(['remove', 'probe'])
    expect([out(), code()]).toEqual(['probe is no longer approved. Its files were kept.\n', 0])
    expect(json(await run(['show', 'probe', '--json']))).toMatchObject({ state: 'new' })
    expect((await run(['remove', 'probe'])).err()).toMatch(
      /^NOT_FOUND: There is no approval of probe to revoke/,
    )
    const slip = await run(['remove', 'prob'])
    expect([slip.err(), slip.code()]).toEqual([expect.stringContaining('Did you mean probe?'), 12])
  })

  it('claims nothing about files that are gone', async () => {
    const folder = place.add({})
    await run(['approve', 'probe'], { answer: 'y' })
    rmSync(folder, { recursive: true })
    expect((await run(['remove', 'probe'])).out()).toBe(
      'probe is no longer approved. Its files were already gone.\n',
    )
  })
})

describe('ctxd tool run', () => {
  it.each(['not json', '[1]', '"text"'])('refuses the input %s', async (input) => {
    const { err, code } = await run(['run', 'probe', input])
    expect([err().split(':')[0], code()]).toEqual(['USAGE', 2])
  })

  it('explains what to do for an unapproved tool', async () => {
    place.add({})
    const { err, code } = await run(['run', 'probe', '--json'])
    expect([JSON.parse(err()), code()]).toMatchObject([
      { error: { code: 'APPROVAL_REQUIRED', command: 'ctxd tool approve probe' } },
      22,
    ])
    expect((await run(['run', 'none'])).code()).toBe(12)
  })
})
