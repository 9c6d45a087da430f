import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { maxSizeHere } from '../src/stages/scrub/checks/open-checks.ts'
import { sampleSecrets } from './support/registry.ts'
import { endProgram } from './support/stdio-program.ts'
import { makeTempHome, type TempHome } from './support/temp-home.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

let home: TempHome
let copy: string
beforeEach(() => {
  home = makeTempHome()
  copy = mkdtempSync(join(tmpdir(), 'contextd-copy-'))
})
afterEach(() => {
  home.remove()
  rmSync(copy, { recursive: true })
})

/** The response of the built program in a folder to a call with a large argument. */
async function answered(folder: string, text: string): Promise<string> {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(folder, 'bin/contextd.js'), 'mcp', 'serve', '--agent', 'main'],
    env: { PATH: process.env.PATH ?? '', ...home.env },
    cwd: home.project,
    stderr: 'ignore',
  })
  await client.connect(transport)
  const call = client.callTool({ name: 'safe_read', arguments: { path: 'notes.txt', note: text } })
  const result = await call.then(
    (result) => JSON.stringify(result),
    (error: unknown) => String(error),
  )
  await endProgram(transport)
  return result
}

test('the built program checks large texts in workers, and withholds them if the worker program is missing', async () => {
  const [secret = ''] = sampleSecrets(1)
  const large = `${secret}${'\nan ordinary line of a long text'.repeat(maxSizeHere / 32)}`
  for (const name of ['bin', 'dist', 'package.json', 'assets'])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  rmSync(join(copy, 'dist/scrub-worker.js'))
  const whole = await answered(root, large)
  expect(whole).not.toContain('could not be checked')
  expect(await answered(copy, 'short')).not.toContain('could not be checked')
  expect(await answered(copy, large)).toContain('could not be checked')
})
