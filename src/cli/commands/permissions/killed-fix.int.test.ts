import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { bundleScript } from '../../../../test/support/bundled-script.ts'
import { dropped, servers, usePermissionsHome } from '../../../../test/support/permissions-home.ts'

const mended = dropped.replace('(*)', '')
const names = ['.claude/settings.json', '.claude/settings.local.json']

interface Left {
  readonly isKilled: boolean
  readonly texts: readonly string[]
  /** The backed-up files of each run. */
  readonly backups: readonly (readonly (string | undefined)[])[]
}

const home = usePermissionsHome()
const { path, person, project } = home
const kept = join(path, 'state', 'permission-backups')

/** The state after `--fix` was killed at this step. */
function killedAt(step: number, script: string): Left {
  rmSync(kept, { recursive: true, force: true })
  home.put(project, '.mcp.json', servers)
  const files = names.map((name) => home.put(project, name, dropped))
  const { signal, status, stderr } = spawnSync(process.execPath, [script, String(step), 'lint', '--fix'], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: person, CONTEXTD_HOME: path },
    encoding: 'utf8',
  })
  expect(signal ?? status, stderr).toBe(signal === null ? 0 : 'SIGKILL')
  const textOf = (file: string): string | undefined =>
    existsSync(file) ? readFileSync(file, 'utf8') : undefined
  const backups = existsSync(kept) ? readdirSync(kept) : []
  return {
    isKilled: signal !== null,
    texts: files.map((file) => readFileSync(file, 'utf8')),
    backups: backups.map((name) => files.map((file) => textOf(join(kept, name, file)))),
  }
}

test('killed at any step, leaves complete files, and backs up all of them before changing the first', async () => {
  const script = await bundleScript('test/support/killed-fixer.ts')
  onTestFinished(script.remove)
  const seen = new Set<string>()
  for (let step = 1; ; step++) {
    const { isKilled, texts, backups } = killedAt(step, script.path)
    for (const text of texts) expect([dropped, mended]).toContain(text)
    for (const text of backups.flat()) expect([undefined, dropped]).toContain(text)
    if (texts.includes(mended)) expect(backups).toEqual([[dropped, dropped]])
    seen.add(texts.map((text) => (text === mended ? 'mended' : 'as before')).join(', '))
    if (!isKilled) break
  }
  // Ensures that the test covers a kill between the two.
  expect([...seen]).toEqual(['as before, as before', 'mended, as before', 'mended, mended'])
})
