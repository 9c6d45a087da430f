import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { makeTempHome, type TempHome } from '../../../../test/support/temp-home.ts'
import { runOnTerminal, type TerminalStep } from '@contextd/shared/testing/terminal'
import { quotedFor } from './shell-line.ts'

const bin = fileURLToPath(new URL('../../../../bin', import.meta.url))
const has = (name: string): boolean => {
  const isThere = spawnSync(name, ['--version']).status === 0
  if (!isThere) process.stderr.write(`Tests of completion with ${name} are skipped: it is not installed\n`)
  return isThere
}
const canType = has('script')
const hasBash = has('bash')

let home: TempHome
let env: NodeJS.ProcessEnv
beforeAll(() => {
  home = makeTempHome()
  mkdirSync(join(home.path, 'bin'))
  for (const name of ['ctxd', 'contextd', 'contextd-proxy']) {
    const file = join(home.path, 'bin', name)
    writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${join(bin, `${name}.js`)}' "$@"\n`)
    chmodSync(file, 0o755)
  }
  env = {
    ...home.env,
    PATH: `${join(home.path, 'bin')}:${process.env.PATH}`,
    HOME: home.path,
    ZDOTDIR: home.path,
    TERM: 'xterm',
    LANG: 'C.UTF-8',
  }
  home.write('config/rules.json', { agents: { 'contextd:scanner': {}, frontend: {} } })
  home.write('config/servers.json', {
    mcpServers: { github: { command: 'x' }, 'bad\u001B[2Jname': { command: 'x' } },
  })
  for (const tool of ['my tool', 'x$(touch pwned)', 'y`touch pwned`', 'z\u001B]0;title\u0007', 'w\nctxd'])
    mkdirSync(join(home.project, '.contextd', 'tools', tool), { recursive: true })
  writeFileSync(join(home.project, 'notes for you.txt'), '')
})
afterAll(() => home.remove())

/** Maps typed text to the completed line. Names with hidden characters must not appear. */
const lines: [typed: string, line: string][] = [
  ['ctxd audi', 'ctxd audit '],
  ['ctxd agents token rev', 'ctxd agents token revoke '],
  ['ctxd rules explain --lev', 'ctxd rules explain --level '],
  ['ctxd rules explain --agent front', 'ctxd rules explain --agent frontend '],
  ['ctxd rules explain --agent contextd:sc', 'ctxd rules explain --agent contextd:scanner '],
  ['ctxd config get http.por', 'ctxd config get http.port '],
  ['ctxd upstream test gi', 'ctxd upstream test github '],
  ['ctxd upstream test ba', 'ctxd upstream test ba'],
  ['ctxd tool show my', 'ctxd tool show my\\ tool '],
  ['ctxd tool show my\\ t', 'ctxd tool show my\\ tool '],
  ['ctxd tool show w', 'ctxd tool show w'],
  ['ctxd tool show z', 'ctxd tool show z'],
  ['ctxd tool show $(touch pwned) x', 'ctxd tool show $(touch pwned) x'],
  ['contextd agents token rev', 'contextd agents token revoke '],
  ['contextd mcp serve --tra', 'contextd mcp serve --transparent '],
  ['contextd-proxy safe_ba', 'contextd-proxy safe_bash '],
  ['contextd-proxy my', 'contextd-proxy my\\ tool '],
  ['contextd-proxy safe_bash --comm', 'contextd-proxy safe_bash --command '],
  ['contextd-proxy return --outcome suc', 'contextd-proxy return --outcome success '],
  ['contextd-proxy no-such --comm', 'contextd-proxy no-such --comm'],
]

/**
 * Types each line with the tab key and shows what it became with Ctrl-G. A shell only reads keys raw once its prompt is
 * there: before that the terminal itself would take Ctrl-U and Ctrl-D, so every line waits for the prompt after the last.
 */
async function typedInto(shell: string, setUp: string, typed: readonly string[]): Promise<string[]> {
  const prompt = '(?:(?!<<|READY> )[^])*READY> (?:(?!<<)[^])*'
  const promptAfter = (shown: number): RegExp => new RegExp(`SET UP\r?\n${prompt}(?:<<${prompt}){${shown}}`)
  const { output } = await runOnTerminal(
    shell,
    [
      [/READY> /, setUp],
      ...typed.map((line, index): TerminalStep => [promptAfter(index), `\u0015${line}\t\u0007`]),
      [promptAfter(typed.length), '\u0015\u0004'],
    ],
    { env, cwd: home.project },
  )
  return [...output.matchAll(/<<(.*?)>>/g)].map(([, line = '']) => line)
}

const bashSetUp = [
  'source <(ctxd completion bash)',
  `bind -x '"\\C-g": printf "\\n<%s%s>>\\n" "<" "$READLINE_LINE"'`,
  "bind 'set bell-style none'",
  "bind 'set enable-bracketed-paste off'",
  "echo SET' 'UP\n",
].join('; ')

describe.runIf(hasBash && canType)('bash', () => {
  test('completes the typed word', async () => {
    const completed = await typedInto(
      "PS1='READY> ' bash --norc --noprofile -i",
      bashSetUp,
      lines.map(([typed]) => typed),
    )
    expect(completed).toEqual(lines.map(([, line]) => line))
    expect(existsSync(join(home.project, 'pwned'))).toBe(false)
  })

  test('quotes names, inside quotes and outside', async () => {
    const completed = await typedInto("PS1='READY> ' bash --norc --noprofile -i", bashSetUp, [
      'ctxd tool show x',
      'ctxd tool show "my t',
      'ctxd tool show "x',
      'ctxd rules explain --agent "contextd:s',
      'ctxd rules explain --agent=contextd:s',
      'ctxd scan notes',
    ])
    expect(completed).toEqual([
      'ctxd tool show x\\$\\(touch\\ pwned\\) ',
      'ctxd tool show "my tool" ',
      'ctxd tool show "x',
      'ctxd rules explain --agent "contextd:scanner" ',
      'ctxd rules explain --agent=contextd:scanner ',
      'ctxd scan notes\\ for\\ you.txt ',
    ])
    expect(existsSync(join(home.project, 'pwned'))).toBe(false)
  })

  test('parses quoted names, and runs nothing', () => {
    const name = 'x$(touch pwned)`touch pwned`; & | < > * ? [a] {b,c} ~ # ! \' " \\ é'
    const { stdout } = spawnSync('bash', ['-c', `printf %s ${quotedFor(name, '')}`], {
      cwd: home.project,
      encoding: 'utf8',
    })
    expect(stdout).toBe(name)
    expect(existsSync(join(home.project, 'pwned'))).toBe(false)
    spawnSync('bash', ['-c', `printf %s ${name.slice(0, 15)}`], { cwd: home.project })
    expect(existsSync(join(home.project, 'pwned'))).toBe(true)
    rmSync(join(home.project, 'pwned'))
  })
})

const zshSetUp = [
  "PS1='READY> '",
  'autoload -Uz compinit && compinit -u -D',
  'source <(ctxd completion zsh)',
  `show() { zle -I; print -r -- "<""<$BUFFER>>" }`,
  'zle -N show',
  "bindkey -e; bindkey '^G' show; bindkey '^I' expand-or-complete",
  'unsetopt beep prompt_sp',
  "echo SET' 'UP\n",
].join('; ')

describe.runIf(has('zsh') && canType)('zsh', () => {
  test('completes the typed word', async () => {
    const wanted = [
      ...lines.filter(([typed]) => !typed.includes('$')),
      ['ctxd tool show x', 'ctxd tool show x\\$\\(touch\\ pwned\\) '] as const,
    ]
    const completed = await typedInto(
      "PS1='READY> ' zsh -f -i",
      zshSetUp,
      wanted.map(([typed]) => typed),
    )
    expect(completed).toEqual(wanted.map(([, line]) => line))
    expect(existsSync(join(home.project, 'pwned'))).toBe(false)
  })
})

describe.runIf(has('fish'))('fish', () => {
  const complete = (line: string): string[] => {
    const script = 'source (ctxd completion fish | psub); complete -C "$argv[1]"'
    const { stdout } = spawnSync('fish', ['--no-config', '-c', script, line], {
      env,
      cwd: home.project,
      encoding: 'utf8',
    })
    return stdout.split('\n').filter((answer) => answer !== '')
  }

  test.each([
    ['ctxd audi', ['audit\tread and verify the audit log']],
    ['ctxd rules explain --agent contextd:sc', ['contextd:scanner']],
    ['ctxd tool show my', ['my tool']],
    ['ctxd tool show w', []],
    ['ctxd config get http.por', ['http.port\tPort of MCP over HTTP; 0 picks a free one.']],
    ['ctxd scan notes', ['notes for you.txt']],
    ['contextd agents token rev', ['revoke\trevoke a token, effective immediately']],
    ['contextd-proxy safe_ba', ['safe_bash\tRuns a bash command in the sandbox']],
    ['contextd-proxy safe_bash --comm', ['--command']],
    ['contextd-proxy safe_read --path notes', ['notes for you.txt']],
  ])('completes %j', (line, answers) => {
    expect(complete(line)).toEqual(answers)
  })
})
