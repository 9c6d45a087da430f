import { afterEach, beforeEach, expect, test } from 'vitest'

import { aCall } from '../../../test/support/calls.ts'
import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { composeRuntime } from '../../compose.ts'
import { branchCommand } from './branch.ts'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

/** A branch that a subagent returned from, and one that its opener works in; returns their ids. */
async function workInBranches(): Promise<string[]> {
  const runtime = await composeRuntime({ env: home.env, cwd: home.project, log: () => {} })
  const { branches, operatorIn } = runtime.memory
  const { archiver } = operatorIn('s')
  const by = (instance?: string) =>
    aCall({
      project: home.project,
      principal: { agent: 'main', level: 'attested' },
      claims: { attested: { agent: 'helper', ...(instance !== undefined && { instance }) } },
    })
  const task = { description: 'read all', prompt: 'Read all of it,\nline by line.' }
  const first = branches.open(by(), task, archiver)
  branches.enter(by('a1'))
  branches.charge(by('a1'), first.id, { returned: 900, produced: 900 })
  branches.end({ ...by('a1'), branch: first.id }, 'Nothing found.', archiver)
  const second = branches.open(by(), { ...task, description: 'read more' }, archiver)
  branches.charge(by(), second.id, { returned: 100, produced: 800 })
  await runtime.close()
  return [first.id, second.id]
}

test('reports an empty project', async () => {
  expect((await home.run(branchCommand, 'list')).out()).toBe('No branches in this project.\n')
  expect(JSON.parse((await home.run(branchCommand, 'list', '--json')).out())).toEqual({ branches: [] })
})

test('list shows opener, agents, cost and what was kept out', async () => {
  const [first, second] = await workInBranches()
  const { branches } = JSON.parse((await home.run(branchCommand, 'list', '--json')).out()) as {
    branches: object[]
  }
  expect(branches).toMatchObject([
    { id: second, state: 'open', used: 100, kept_out: 700, worked_in_by: 'main:helper' },
    { id: first, state: 'returned', used: 900, budget: 8192, kept_out: 900, opened_by: 'main:helper' },
  ])
  expect(branches[1]).toMatchObject({ worked_in_by: 'helper a1', description: 'read all' })
  const lines = (await home.run(branchCommand, 'list')).out().split('\n')
  expect(lines[1]).toMatch(/^br_\S+ +open +100\/8192 +700 +main:helper +main:helper +read more$/)
  expect((await home.run(branchCommand, 'list', '-n', '1')).out().trim().split('\n')).toHaveLength(2)
})

test('show prints everything about a branch', async () => {
  const [first = ''] = await workInBranches()
  const shown = (await home.run(branchCommand, 'show', first)).out()
  expect(shown).toContain('kept out: 900')
  expect(shown).toContain('prompt:\nRead all of it,\nline by line.\n')
  expect(shown).toContain('message:\nNothing found.\n')
  expect(JSON.parse((await home.run(branchCommand, 'show', first, '--json')).out())).toMatchObject({
    id: first,
    message: 'Nothing found.',
  })
})

test('reports an unknown branch as not found', async () => {
  await workInBranches()
  const { code, err } = await home.run(branchCommand, 'show', 'br_unknown')
  expect(err()).toContain('NOT_FOUND')
  expect(code()).not.toBe(0)
  expect((await home.run(branchCommand, 'list', '-n', 'many')).err()).toContain('whole number')
})
