/** Ordinary work, done with our tools and with the client's own: a sample of the tasks that `npm run bench:tasks` measures. */

import assert from 'node:assert/strict'

import { describe, expect, test } from 'vitest'

import { compareTask } from '../../benchmarks/tasks/compare.ts'
import type { Beginning } from '../../benchmarks/tasks/count.ts'
import { tasks } from '../../benchmarks/tasks/list/tasks.ts'
import { beginWith } from '../../benchmarks/tasks/run-task.ts'
import { edit, read, run, write, type Task } from '../../benchmarks/tasks/task.ts'

const sample = [
  'six edits in one file',
  'resolve a merge',
  'bump a dependency',
  'edit a fixture with credentials',
].map((name) => tasks.find((task) => task.name === name)!)

test.each(sample)('$name: leaves the same on disk, with no more calls', async (task) => {
  const { ours, own, differences } = await compareTask(task, 'claude-code', true)
  expect(differences).toEqual([])
  expect(ours.cost.calls).toBeLessThanOrEqual(own.cost.calls)
  for (const { cost } of [ours, own]) {
    expect(cost.inputs).toBeGreaterThan(20)
    expect(cost.results).toBeGreaterThan(20)
  }
})

test('in strict mode requests begin with fewer tokens than without contextd, in friendly mode with more', async () => {
  const total = ({ tools, prompt }: Beginning): number => tools + prompt
  const alone = await beginWith('claude-code')
  const friendly = await beginWith('claude-code', 'friendly')
  const strict = await beginWith('claude-code', 'strict')
  expect(strict.tools).toBeLessThan(alone.tools)
  expect(total(strict)).toBeLessThan(total(alone))
  expect(friendly.tools).toBeGreaterThan(alone.tools)
  expect(friendly.prompt).toBeGreaterThan(alone.prompt)
})

describe('what would be noticed', () => {
  const turns = [read('note.txt'), edit('note.txt', { old: 'ordinary', new: 'extraordinary' })]
  const note: Task = {
    name: 'a note',
    create(project) {
      project.write('note.txt', 'an ordinary note\n')
      project.commit('Start')
    },
    turns: () => turns,
    check: (project) => assert.equal(project.read('note.txt'), 'an extraordinary note\n'),
  }
  const compare = (task: Task): ReturnType<typeof compareTask> => compareTask(task, 'claude-code', false)

  test('another result on disk', async () => {
    expect((await compare(note)).differences).toEqual([])
    const which = { ...note, turns: () => [...turns, run('ls -A | grep -c claude > n.txt; true')] }
    expect((await compare(which)).differences).toEqual([
      expect.stringMatching(/^ours: n\.txt/),
      expect.stringMatching(/^own: n\.txt/),
    ])
  })

  test('work that is not done, or a call that fails', async () => {
    await expect(compare({ ...note, turns: () => [write('other.txt', 'x')] })).rejects.toThrow('note')
    const missing = { ...note, turns: () => [read('missing.txt')] }
    await expect(compare(missing)).rejects.toThrow('a note, own: Read')
  })

  test('a secret that is shown, and one that nothing would have shown', async () => {
    await expect(compare({ ...note, secrets: ['an ordinary note'] })).rejects.toThrow('was sent a secret')
    await expect(compare({ ...note, secrets: ['not in it'] })).rejects.toThrow('was sent no secret')
  })
})
