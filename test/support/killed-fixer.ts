/** Runs `ctxd permissions` and is killed at one of its disk operations: the number in the first argument, from 1. */

import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

import { permissionsCommand } from '../../src/cli/commands/permissions/permissions.ts'
import { processIo, runCli } from '@contextd/shared/cli/output'

const [last, ...argv] = process.argv.slice(2)
let steps = 0

function isLast(): boolean {
  steps++
  return steps === Number(last)
}

function die(): void {
  process.kill(process.pid, 'SIGKILL')
}

const { renameSync, writeFileSync } = fs
fs.writeFileSync = (file, data) => {
  if (!isLast()) return writeFileSync(file, data)
  const text = typeof data === 'string' ? data : ''
  writeFileSync(file, text.slice(0, text.length / 2))
  die()
}
fs.renameSync = (from, to) => {
  if (isLast()) die()
  renameSync(from, to)
}
syncBuiltinESMExports()

// Never prompts, even if the tests run on a terminal.
const io = { ...processIo(), openTerminal: () => undefined }
await runCli(permissionsCommand(io), io, argv)
