import { afterEach, beforeEach, expect, test } from 'vitest'

import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { composeRuntime } from '../../compose.ts'
import { errorCatalogue } from '../../core/errors/errors.ts'
import { checkpointCommand } from './checkpoint.ts'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

/** Returns the ids, oldest first. */
async function save(
  ...drafts: { summary: string; name?: string; context?: string; state?: string }[]
): Promise<string[]> {
  const runtime = await composeRuntime({ env: home.env, cwd: home.project, log: () => {} })
  const checkpoints = await runtime.memory.checkpoints()
  const user = runtime.memory.agentIn({ project: runtime.project, session: 's' }, 'main')
  const ids = drafts.map((draft) => checkpoints.save(user, draft).id)
  await runtime.close()
  return ids
}

test('reports an empty project', async () => {
  expect((await home.run(checkpointCommand, 'list')).out()).toBe('No checkpoints in this project.\n')
  expect(JSON.parse((await home.run(checkpointCommand, 'list', '--json')).out())).toEqual({
    checkpoints: [],
    total: 0,
    next: null,
  })
})

test('list shows the newest first, page by page', async () => {
  const [first = '', second = '', third = ''] = await save(
    { summary: 'one' },
    { summary: 'two\nmore', name: 'lunch' },
    { summary: 'three' },
  )
  const table = await home.run(checkpointCommand, 'list', '-n', '2')
  const [head, ...lines] = table.out().trim().split('\n')
  expect(head).toMatch(/^ID +SAVED \(UTC\) +BY +TOKENS +ABOUT$/)
  expect(lines[0]).toMatch(new RegExp(`^${third} +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d +main +\\d+ +three$`))
  expect(lines[1]).toMatch(/lunch: two$/)
  expect(table.err()).toContain(`3 checkpoints in total; continue with --before ${second}`)
  const rest = JSON.parse(
    (await home.run(checkpointCommand, 'list', '--before', second, '--json')).out(),
  ) as object
  expect(rest).toMatchObject({
    checkpoints: [{ id: first, agent: 'main', automatic: false }],
    total: 3,
    next: null,
  })
})

test('a long summary is truncated in the list and complete elsewhere', async () => {
  const summary = `${'word '.repeat(500)}end`
  const [id = ''] = await save({ summary })
  const [, line = ''] = (await home.run(checkpointCommand, 'list')).out().trim().split('\n')
  expect(line).toMatch(/word…$/)
  expect(line.length).toBeLessThan(180)
  expect((await home.run(checkpointCommand, 'show', id)).out()).toContain('word end')
})

test('show describes a checkpoint without its contents', async () => {
  const [id = ''] = await save({ summary: 'one\ntwo', state: 'a long story' })
  const shown = (await home.run(checkpointCommand, 'show', id)).out()
  expect(shown).toContain('summary:\none\ntwo\n')
  expect(shown).toMatch(/tokens, full: \d+/)
  expect(shown).not.toContain('a long story')
  expect(JSON.parse((await home.run(checkpointCommand, 'show', id, '--json')).out())).toMatchObject({
    id,
    files: { written: [], read: [] },
    branches: [],
  })
})

test('restore prints the requested level', async () => {
  const [id = ''] = await save({
    summary: 'one',
    context: 'next: two',
    state: 'a long \u001b[31mstory\nends',
  })
  const usual = (await home.run(checkpointCommand, 'restore', id)).out()
  expect(usual).toContain('context: next: two')
  expect(usual).not.toContain('story')
  expect((await home.run(checkpointCommand, 'restore', id, '--level', 'summary')).out()).not.toContain('next')
  const full = (await home.run(checkpointCommand, 'restore', id, '--level', 'full')).out()
  // Control characters are not stored.
  expect(full).toMatch(/# State\na long story\nends\n$/)
  const json = (await home.run(checkpointCommand, 'restore', id, '--level', 'full', '--json')).out()
  expect((JSON.parse(json) as { text: string }).text).toContain('a long story')
})

test('reports unknown checkpoints and levels', async () => {
  const unknown = await home.run(checkpointCommand, 'restore', 'cp_never', '--json')
  expect(unknown.code()).toBe(errorCatalogue.CHECKPOINT_NOT_FOUND.exit)
  expect(JSON.parse(unknown.err())).toMatchObject({ error: { code: 'CHECKPOINT_NOT_FOUND' } })
  expect((await home.run(checkpointCommand, 'restore', 'cp_never', '--level', 'all')).err()).toContain(
    'USAGE',
  )
  expect((await home.run(checkpointCommand, 'list', '-n', '0')).err()).toContain('USAGE')
})
