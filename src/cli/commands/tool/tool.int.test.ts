import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test as anyTest } from 'vitest'

import { sandboxHere } from '../../../../test/support/sandbox-here.ts'
import { fakeIo, type FakeIo } from '@contextd/shared/testing/cli-io'
import { toolProject, type ToolProject } from '../../../../test/support/tool-packages.ts'
import { closeInheritedFiles } from '../../../sandbox/inherited-files.ts'
import { runCli, type CliIo } from '@contextd/shared/cli/output'
import { toolCommand } from './tool.ts'

const test = anyTest.runIf(sandboxHere)

let place: ToolProject
beforeEach(() => {
  closeInheritedFiles()
  place = toolProject()
})
afterEach(() => place.remove())

async function run(argv: string[], parts: Partial<CliIo> = {}): Promise<FakeIo> {
  const fake = fakeIo({ answer: 'y', cwd: place.project, env: { CONTEXTD_HOME: place.home } })
  const io = { ...fake.io, ...parts }
  await runCli(toolCommand(io), io, argv)
  return fake
}

test('a new tool works unchanged, through the whole pipeline', async () => {
  await run(['new', 'weather'])
  await run(['approve', 'weather'])
  const { out, code } = await run(['run', 'weather', '{"text": "hello"}', '--json'])
  expect([JSON.parse(out()), code()]).toMatchObject([{ data: { you_said: { text: 'hello' } } }, 0])
  expect((await run(['run', 'weather', '{"text": "hello"}'])).out()).toContain('hello')
  async function* piped(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"text": ')
    yield Buffer.from('"piped"}')
  }
  expect((await run(['run', 'weather', '-', '--json'], { stdin: piped() })).out()).toContain('piped')
})

test('reports errors with the exit code of the catalogue', async () => {
  await run(['new', 'weather'])
  await run(['approve', 'weather'])
  const wrong = await run(['run', 'weather', '{"text": 1}', '--json'])
  expect([JSON.parse(wrong.err()), wrong.code()]).toMatchObject([
    { error: { code: 'INVALID_ARGUMENTS', fields: [{ field: 'text', expected: 'string' }] } },
    2,
  ])
  writeFileSync(
    join(place.project, '.contextd/tools/weather/run.sh'),
    '#!/bin/bash\necho broken >&2; exit 7\n',
  )
  await run(['approve', 'weather'])
  const failed = await run(['run', 'weather', '{"text": "hello"}'])
  expect(failed.err()).toContain('It ended with code 7. It printed:\nbroken')
  expect([failed.out(), failed.code()]).toEqual(['', 1])
})
