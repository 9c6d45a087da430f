import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { tasks } from './list/tasks.ts'
import { createProject, resultIn } from './project.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'contextd-tasks-'))
  for (const name of ['a', 'b', 'home']) mkdirSync(join(root, name))
})
afterEach(() => rmSync(root, { recursive: true }))

test('there are 30 tasks with names of their own', () => {
  expect(tasks).toHaveLength(30)
  expect(new Set(tasks.map(({ name }) => name)).size).toBe(30)
})

test.each(tasks)('$name: is not done at the beginning, and begins the same every time', (task) => {
  const [first, second] = ['a', 'b'].map((name) => {
    const project = createProject(join(root, name))
    task.create(project, 4873)
    return project
  })
  expect(resultIn(first!)).toEqual(resultIn(second!))
  expect(() => task.check(first!, 4873)).toThrow()
})

test('a result differs by a byte, a mode, a file and a commit', () => {
  const project = createProject(join(root, 'a'))
  project.write('a.txt', 'a')
  project.commit('Start')
  const results = [resultIn(project)]
  for (const change of [
    () => project.write('a.txt', 'b'),
    () => project.write('a.txt', 'b', 0o755),
    () => project.write('b.txt', ''),
    () => project.commit('More'),
  ]) {
    change()
    results.push(resultIn(project))
  }
  expect(new Set(results.map(String)).size).toBe(results.length)
})
