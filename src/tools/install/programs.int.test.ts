import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import { expect, test } from 'vitest'

import { temporaryFolder } from '../../../test/support/audit.ts'
import { runProgram } from './programs.ts'

function runGit(...path: string[]): Promise<Buffer> {
  const env = { PATH: path.join(delimiter) }
  return runProgram(
    { program: 'git', args: ['hello'], cwd: '/', env, maxBytes: 100 },
    (complaint) => complaint,
  )
}

/** The system answers EACCES to everyone who runs what is a folder, as it does where a folder cannot be searched. */
function folderWith(name: string): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, name))
  return folder
}

test('a program that is missing is said to be, whatever PATH holds', async () => {
  await expect(runGit(temporaryFolder())).rejects.toThrow('git is not on this machine')
  await expect(runGit(folderWith('git'))).rejects.toThrow('git is not on this machine')
  await expect(runGit(folderWith('git'), temporaryFolder())).rejects.toThrow('git is not on this machine')
})

test('a program that is there is run, or said to be what it is', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'git'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 })
  expect(String(await runGit(folderWith('git'), folder))).toBe('hello\n')

  const other = temporaryFolder()
  writeFileSync(join(other, 'git'), '#!/bin/sh\n', { mode: 0o600 })
  await expect(runGit(other)).rejects.toThrow('ermission denied')
})
