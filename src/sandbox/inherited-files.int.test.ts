import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { bundleScript, type BundledScript } from '../../test/support/bundled-script.ts'

const run = promisify(execFile)
let folder: string
let script: BundledScript
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-inherited-'))
  script = await bundleScript('src/sandbox/inherited-files.ts')
  writeFileSync(join(folder, 'secret'), 'left open\n')
  writeFileSync(join(folder, 'probe.mjs'), probe)
})
afterAll(() => {
  script.remove()
  rmSync(folder, { recursive: true })
})

/** The files that a program sees if its parent process has these open. */
const probe = `
import { execFileSync } from 'node:child_process'
import { get, createServer } from 'node:http'

const [mode, script] = process.argv.slice(2)
const { closeInheritedFiles } = await import(script)
if (mode === 'close') closeInheritedFiles()
const seen = execFileSync('/bin/bash', ['-c', 'for n in 7 251 252; do read -r line <&$n && echo "$n $line"; done; exit 0'], {
  stdio: ['ignore', 'pipe', 'ignore'],
}).toString().trim().split('\\n').filter(Boolean)

// Node's own files still work.
const server = createServer((_, response) => response.end('served')).listen(0, '127.0.0.1', () => {
  get({ port: server.address().port, host: '127.0.0.1' }, async (response) => {
    let served = ''
    for await (const part of response) served += part
    server.close()
    console.log(JSON.stringify({ seen, served }))
  })
})
`

async function look(mode: 'close' | 'leave'): Promise<unknown> {
  const shell = `cd "$1"; for n in 7 251 252; do eval "exec $n<secret"; done; exec "$2" probe.mjs "$3" "$4"`
  const { stdout } = await run('/bin/bash', ['-c', shell, '-', folder, process.execPath, mode, script.path])
  return JSON.parse(stdout)
}

test('files left open by the parent process are closed in everything contextd starts', async () => {
  expect(await look('close')).toEqual({ seen: [], served: 'served' })
})

test('without closing them, they are inherited', async () => {
  expect(await look('leave')).toMatchObject({
    seen: expect.arrayContaining(['251 left open', '252 left open']) as string[],
  })
})
