import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { resolvePaths } from '../../platform/files/paths.ts'
import { recordCommand } from '../../tools/shell/background/command-journal.ts'
import { backgroundCommand } from './background.ts'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

test('lists what runs, and nothing of a process that was killed', async () => {
  expect((await home.run(backgroundCommand)).out()).toBe('No background commands are running.\n')
  const { commands } = resolvePaths(home.env)
  const command = { agent: 'main', project: '/p', started_at: '2026-11-19T12:00:00.000Z' }
  const remove = recordCommand(commands, { ...command, id: 'bg_1', command: 'npm run\ndev' })
  writeFileSync(
    join(commands, `${process.pid}-1-0123456789abcdef.json`),
    JSON.stringify({ ...command, id: 'bg_2', command: 'sleep 600' }),
  )
  const shown = (await home.run(backgroundCommand)).out()
  expect(shown).toMatch(/bg_1 +main +2026-11-19 12:00 +\/p +npm run dev/)
  expect(shown).not.toContain('bg_2')
  expect(JSON.parse((await home.run(backgroundCommand, '--json')).out())).toEqual({
    commands: [{ ...command, id: 'bg_1', command: 'npm run\ndev' }],
  })
  remove()
  expect((await home.run(backgroundCommand)).out()).toBe('No background commands are running.\n')
})
