import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { runOnTerminal, type TerminalStep } from '../testing/terminal.ts'

// A real terminal: `script` runs the command on a pseudo-terminal and forwards the input to it.
let folder: string
let program: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-operator-'))
  program = join(folder, 'ask.mjs')
  const source = `
    import { askHidden, requireOperator } from ${JSON.stringify(join(import.meta.dirname, 'operator.ts'))}
    if (process.argv[2] === 'hidden') {
      askHidden({ env: process.env, prompt: 'Value' }).then(
        (typed) => process.stdout.write('GOT ' + [...typed].reverse().join('') + '.\\n'),
        (error) => process.stdout.write(error.message + '\\n'),
      )
    } else ask()
    async function ask() {
    const details = Array.from({ length: 3000 }, (_, index) => 'line ' + index)
    if (process.argv[2] === 'wait') {
      const idle = setInterval(() => {}, 1000)
      const signal = new Promise((resolve) => process.once('SIGUSR2', resolve))
      process.stdout.write('pid ' + process.pid + '.')
      await signal
      clearInterval(idle)
    }
    requireOperator({ env: process.env, question: 'Do it', details }).then(
      () => process.stdout.write('APPROVED\\n'),
      (error) => process.stdout.write(error.message + '\\n'),
    )
    }`
  writeFileSync(join(folder, 'ask.ts'), source)
  await build({
    entryPoints: [join(folder, 'ask.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const question = /\[y\/N\] $/
const env = { PATH: process.env.PATH, TERM: 'xterm' }

async function onTerminal(
  steps: readonly TerminalStep[],
  shell = `exec node ${program}`,
  extra = {},
): Promise<string> {
  const { output } = await runOnTerminal(shell, steps, { env: { ...env, ...extra } })
  return output
}

describe('the controlling terminal', () => {
  it('accepts a yes', async () => {
    const output = await onTerminal([[question, 'y\n']])
    expect(output).toContain('line 2999\r\nDo it? [y/N] ')
    expect(output).toContain('APPROVED')
  })

  it('accepts a no', async () => {
    expect(await onTerminal([[question, 'n\n']])).toContain('The user must approve this first')
  })

  it('treats the end of input as a no', async () => {
    expect(await onTerminal([[question, '\u0004']])).toContain('The user must approve this first')
  })

  it.each(['y\n', 'y'])('discards %j typed before the question', async (early) => {
    const output = await onTerminal(
      [
        [/pid \d+\./, early],
        // The terminal echoes what it received, so this early answer has arrived.
        [/pid (\d+)\.y/, ([, pid]) => process.kill(Number(pid), 'SIGUSR2')],
        [question, '\n'],
      ],
      `exec node ${program} wait`,
    )
    expect(output).toContain('The user must approve this first')
  })

  it('is used even if input and output are redirected', async () => {
    const output = await onTerminal(
      [[question, 'y\n']],
      `node ${program} </dev/null >${folder}/out; cat ${folder}/out`,
    )
    expect(output).toContain('APPROVED')
  })

  it('is not used in the shell of an agent', async () => {
    const output = await onTerminal([[question, 'y\n']], undefined, { CLAUDECODE: '1' })
    expect(output).toContain('this shell belongs to an agent (CLAUDECODE is set)')
    expect(output).not.toContain('[y/N]')
  })

  it('does not echo hidden input, and supports corrections', async () => {
    const output = await onTerminal([[/Value: $/, 'abx\u007Fc é\r']], `exec node ${program} hidden`)
    expect(output).toContain('GOT é cba.')
    expect(output).not.toContain('abc')
    expect(output).not.toContain('abx')
  })

  it('lets the user cancel', async () => {
    const output = await onTerminal([[/Value: $/, 'abc\u0003']], `exec node ${program} hidden`)
    expect(output).toContain('The user must approve this first')
  })

  it('is missing in a separate session, regardless of standard input', async () => {
    const child = spawn('node', [program], { env, detached: true, stdio: 'pipe' })
    child.stdin.end('y\n')
    let output = ''
    for await (const chunk of child.stdout) output += String(chunk)
    expect(output).toContain('there is no terminal to ask on')
  })
})
