/** OpenCode's own tools with tokens: the shipped plugin calls the real contextd. */

import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { sampleSecrets } from './support/registry.ts'
import { makeTempHome, type TempHome } from './support/temp-home.ts'

type Hooks = Record<string, (input: object, output: object) => Promise<void>>
const shipped = new URL('../integrations/opencode/contextd.js', import.meta.url).href
const { Contextd } = (await import(shipped)) as { Contextd: (opencode: object) => Promise<Hooks> }
const client = { session: { get: async () => ({ data: { id: 'ses_top', agent: 'build' } }) } }

const [secret = ''] = sampleSecrets(1)
const original = `KEY=${secret}\nNAME=x\n`

let home: TempHome
let hooks: Hooks
let file: string
beforeEach(async () => {
  home = makeTempHome()
  const contextd = fileURLToPath(new URL('../bin/contextd.js', import.meta.url))
  const program = home.write('contextd.sh', `#!/bin/sh\nexec '${process.execPath}' '${contextd}' "$@"\n`)
  chmodSync(program, 0o755)
  vi.stubEnv('CONTEXTD_BIN', program)
  for (const [name, value] of Object.entries(home.env)) vi.stubEnv(name, value ?? '')
  file = join(home.project, 'app.env')
  writeFileSync(file, original)
  hooks = await Contextd({ client, directory: home.project })
  const output = { output: original }
  await hooks['tool.execute.after']!({ tool: 'read', sessionID: 'ses_top', args: { filePath: file } }, output)
  expect(output.output).toBe(original.replace(secret, '[SECRET_1]'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  home.remove()
})

async function before(tool: string, args: object): Promise<void> {
  await hooks['tool.execute.before']!({ tool, sessionID: 'ses_top', callID: 'call' }, { args })
}

test('a token is not written or run in place of its secret', async () => {
  const changed = 'KEY=[SECRET_1]\nNAME=y\n'
  const patch = (name: string, lines: string): string =>
    `*** Begin Patch\n*** Update File: ${name}\n@@\n${lines}\n*** End Patch`
  writeFileSync(join(home.project, 'readme.md'), 'like [SECRET_1]\n')
  writeFileSync(join(home.project, 'both.env'), `# like [SECRET_1]\n${original}`)
  const refused: [string, object, string][] = [
    ['write', { filePath: file, content: changed }, 'would overwrite it'],
    ['write', { filePath: 'new.env', content: changed }, 'is not in this file'],
    ['edit', { filePath: file, oldString: 'NAME=x', newString: 'NAME=[SECRET_1]' }, 'would overwrite it'],
    ['edit', { filePath: file, oldString: 'KEY=[SECRET_1]', newString: 'KEY=1' }, 'would overwrite it'],
    [
      'apply_patch',
      { patchText: patch('app.env', ' KEY=[SECRET_1]\n-NAME=x\n+NAME=y') },
      'would overwrite it',
    ],
    ['edit', { filePath: 'both.env', oldString: 'KEY=[SECRET_1]', newString: 'KEY=1' }, 'would overwrite it'],
    [
      'write',
      { filePath: 'both.env', content: '# such as [SECRET_1]\nPASS=[SECRET_1]\n' },
      'Change these lines one at a time',
    ],
    ['apply_patch', { patchText: patch('both.env', '-KEY=[SECRET_1]\n+KEY=1') }, 'would overwrite it'],
    ['bash', { command: `cat > app.env <<EOF\n${changed}EOF` }, 'represents a secret'],
  ]
  for (const [tool, args, reason] of refused) await expect(before(tool, args)).rejects.toThrow(reason)
  const allowed: [string, object][] = [
    ['write', { filePath: file, content: original.replace('x', 'y') }],
    ['write', { filePath: file, content: 'KEY=[SECRET_9]\n' }],
    ['edit', { filePath: file, oldString: 'NAME=x', newString: 'NAME=y' }],
    ['apply_patch', { patchText: patch('readme.md', '-like [SECRET_1]\n+like [SECRET_1]!') }],
    ['edit', { filePath: 'both.env', oldString: '# like [SECRET_1]', newString: '# such as [SECRET_1]' }],
    [
      'apply_patch',
      { patchText: patch('both.env', '-# like [SECRET_1]\n+# such as [SECRET_1]\n@@\n-NAME=x\n+NAME=y') },
    ],
    ['bash', { command: 'echo [SECRET_9]' }],
  ]
  for (const [tool, args] of allowed) await expect(before(tool, args)).resolves.toBeUndefined()
  expect(readFileSync(file, 'utf8')).toBe(original)
}, 120_000)
