import { spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import {
  endOf,
  makeProxyHome,
  scriptedDaemon,
  type ProxyHome,
  type ScriptedDaemon,
} from '../../../test/support/proxy-home.ts'
import { until } from '@contextd/shared/testing/until'
import type { Json, JsonObject } from '@contextd/shared/json/value'

const schema = {
  name: 'note',
  parameters: { properties: { text: { type: 'string' }, times: { type: 'integer' } }, required: ['text'] },
}

let home: ProxyHome
let daemon: ScriptedDaemon | undefined
let note: string
beforeEach(() => {
  home = makeProxyHome()
  note = home.link('note', schema)
})
afterEach(() => {
  daemon?.close()
  daemon = undefined
  home.remove()
})

const says = (text: string, more: JsonObject = {}): Json => ({
  result: { content: [{ type: 'text', text }], structured: { data: text }, ...more },
})
const answering = async (answer: (asked: JsonObject) => Json | undefined): Promise<ScriptedDaemon> =>
  (daemon = await scriptedDaemon(home, answer))
const errorIn = (err: string): unknown => (JSON.parse(err) as { error: unknown }).error

describe('a call', () => {
  it('uses the tool named by the link, in the project that contains it', async () => {
    const { asked } = await answering(() => says('done'))
    const flags = await home.proxy(['--text', 'a b', '--times', '2'], { program: note, cwd: home.path })
    expect(flags).toEqual({ code: 0, out: 'done\n', err: '' })
    const json = await home.proxy([], { program: note, stdin: ' {"text":"ü"}\n' })
    expect(json).toEqual({ code: 0, out: 'done\n', err: '' })
    const call = { method: 'call', rpc: 'Tools/Call', workspace: home.project, client: 'contextd-proxy' }
    expect(asked).toEqual([
      { ...call, request: { name: 'note', arguments: { text: 'a b', times: 2 } } },
      { ...call, request: { name: 'note', arguments: { text: 'ü' } } },
    ])
  })

  it("uses the named tool, with flags from the daemon's schema", async () => {
    const { asked } = await answering(({ rpc }) =>
      rpc === 'Tools/Get' ? { result: { tool: { input_schema: schema.parameters } } } : says('done'),
    )
    expect(await home.proxy(['note', '--times', '3', '--text', 'x'])).toMatchObject({
      code: 0,
      out: 'done\n',
    })
    expect(asked.map(({ request }) => request)).toEqual([
      { name: 'note' },
      { name: 'note', arguments: { times: 3, text: 'x' } },
    ])
    expect(asked[0]).toMatchObject({ workspace: home.project })
  })

  it('asks the daemon about a flag missing from the local schema', async () => {
    const more = { ...schema.parameters.properties, loud: { type: 'boolean' } }
    const { asked } = await answering(({ rpc }) =>
      rpc === 'Tools/Get' ? { result: { tool: { input_schema: { properties: more } } } } : says('done'),
    )
    expect((await home.proxy(['--text', 'x', '--loud'], { program: note })).code).toBe(0)
    expect(asked.at(-1)).toMatchObject({ request: { arguments: { text: 'x', loud: true } } })
    const { code, err } = await home.proxy(['--txet', 'x'], { program: note })
    expect([code, errorIn(err)]).toEqual([
      2,
      expect.objectContaining({ message: 'unknown flag --txet; did you mean --text?' }),
    ])
  })

  it('reports a misspelled flag even if the agent may not use the tool', async () => {
    await answering(() => ({ error: { code: 'TOOL_NOT_FOUND', message: 'No tool with this name' } }))
    const { code, err } = await home.proxy(['--txet', 'x'], { program: note })
    expect([code, errorIn(err)]).toEqual([
      2,
      expect.objectContaining({ message: 'unknown flag --txet; did you mean --text?' }),
    ])
    expect((await home.proxy(['--text', 'x'], { program: note })).code).toBe(12)
  })

  it('suggests a tool, or the command of ctxd that was meant', async () => {
    await answering(() => ({
      error: { code: 'TOOL_NOT_FOUND', message: 'There is no tool x', hint: 'List.' },
    }))
    for (const [tool, hint] of [
      ['safe_bsh', 'Did you mean safe_bash?'],
      ['rules', 'Did you mean `ctxd rules`?'],
      ['qqqqqqqqqqq', 'List.'],
    ] as const) {
      const { code, err } = await home.proxy([tool], { stdin: '{}' })
      expect([code, errorIn(err)]).toEqual([12, expect.objectContaining({ hint })])
    }
  })

  it('uses the agent in CONTEXTD_AGENT', async () => {
    const { asked } = await answering(() => says('done'))
    await home.proxy(['--text', 'x'], { program: note, env: { CONTEXTD_AGENT: 'scanner' } })
    await home.proxy(['--text', 'x'], { program: note })
    expect(asked.map(({ agent }) => agent)).toEqual(['scanner', undefined])
  })

  it('prints the structured answer with --json', async () => {
    await answering(() => says('text', { structured: { data: { lines: 2 }, tokens_used: 4 } }))
    const { out } = await home.proxy(['--json'], { program: note })
    expect(out).toBe('{"data":{"lines":2},"tokens_used":4}\n')
  })

  it('ignores events before the answer, and names content that is not text', async () => {
    await answering(() => ({}))
    daemon?.close()
    daemon = await scriptedDaemon(home, (_, socket) => {
      socket.write('{"event":{"progress":{"progress":1}}}\n{"event":{"log":{}}}\n')
      return {
        result: {
          content: [
            { type: 'image', mimeType: 'image/png' },
            { type: 'text', text: 'x' },
          ],
        },
      }
    })
    expect((await home.proxy([], { program: note })).out).toBe('[image image/png: use --json to see it]\nx\n')
  })
})

describe('an error', () => {
  it('is the error object on stderr, with the exit code of the catalogue', async () => {
    const error = { code: 'DENIED_BY_POLICY', message: 'x', agent: 'main', server: 's', tool: 't', rule: 'r' }
    await answering(() => ({ error }))
    const { code, out, err } = await home.proxy([], { program: note })
    expect([code, out]).toEqual([10, ''])
    expect(errorIn(err)).toMatchObject({ ...error, message: 'Agent main may not use s.t' })
  })

  it('of the tool is reported after its output', async () => {
    await answering(() => says('no such issue', { is_error: true }))
    const { code, out, err } = await home.proxy([], { program: note })
    expect([code, out, errorIn(err)]).toEqual([
      1,
      'no such issue\n',
      expect.objectContaining({ code: 'TOOL_FAILED' }),
    ])
  })

  it.each([
    ['binary', Buffer.from([0xff, 0xfe, 0x00])],
    ['no JSON', 'ls -la hunter2'],
    ['no object', '["hunter2"]'],
    ['two objects', '{"text":"hunter2"}{}'],
  ])('is input with %s, without a call', async (_, stdin) => {
    const { asked } = await answering(() => says('done'))
    const { code, out, err } = await home.proxy([], { program: note, stdin })
    expect([code, out, asked]).toEqual([2, '', []])
    expect(errorIn(err)).toMatchObject({ code: 'USAGE', message: expect.stringContaining('stdin') as string })
    expect(err).not.toContain('hunter2')
    expect((await home.proxy([], { program: note, stdin: '{"text":"hunter2"}' })).code).toBe(0)
  })

  it('is passing arguments in two ways at once', async () => {
    const { asked } = await answering(() => says('done'))
    const file = home.write('args.json', '{"text":"x"}')
    const run = (argv: readonly string[], stdin: number): ReturnType<typeof spawnSync> =>
      spawnSync(process.execPath, [note, ...argv], {
        env: { PATH: process.env.PATH, ...home.env },
        stdio: [stdin, 'pipe', 'pipe'],
        // The daemon is in this process, which is blocked in the meantime.
        timeout: 100_000,
        encoding: 'utf8',
      })
    const { status, stderr } = run(['--text', 'y'], openSync(file, 'r'))
    expect([status, errorIn(String(stderr))]).toEqual([
      2,
      expect.objectContaining({ message: 'pass arguments as flags or as JSON on stdin, not both' }),
    ])
    // A pipe may belong to the loop that runs us, so it is not read, and missing arguments are reported.
    const piped = await home.proxy(['--times', '1'], { program: note, stdin: '{"text":"x"}' })
    expect(piped.err).toContain('--text is missing: pass all arguments as flags, or all as JSON on stdin')
    expect(asked).toEqual([])
    expect((await home.proxy(['--text', 'x'], { program: note, stdin: 'a line\n' })).code).toBe(0)
  })

  it('is a missing tool name', async () => {
    expect(await home.proxy([])).toMatchObject({
      code: 2,
      err: expect.stringContaining('name a tool: ') as string,
    })
    expect((await home.proxy(['--help'])).out).toContain('Usage: contextd-proxy <tool> [flags]')
  })
})

describe('--help', () => {
  it('prints TOOL.md and the flags, even without a daemon', async () => {
    home.write('project/.claude/tools/note/TOOL.md', '# note\n> Takes a note\n')
    const { code, out } = await home.proxy(['--help'], { program: note })
    expect(code).toBe(0)
    expect(out).toBe(`# note
> Takes a note

Usage: note [flags], or the arguments as a JSON object on stdin

  --text <text>     required
  --times <number>
  --json            print the structured answer
  --help            print this
`)
  })
})

describe('transport', () => {
  it('preserves large answers and arguments', async () => {
    const large = 'ä🎉x'.repeat(1_000_000)
    const { asked } = await answering(({ request }) =>
      says(((request as JsonObject).arguments as { text: string }).text),
    )
    const { code, out } = await home.proxy([], { program: note, stdin: JSON.stringify({ text: large }) })
    expect(code).toBe(0)
    expect(out === `${large}\n`).toBe(true)
    expect(asked).toHaveLength(1)
  })

  it('ends quietly if the reader disconnects', async () => {
    await answering(() => says('line\n'.repeat(500_000)))
    const child = home.start([], { program: note })
    child.stdin.end()
    child.stdout.once('data', () => child.stdout.destroy())
    let err = ''
    child.stderr.on('data', (text: Buffer) => (err += text.toString()))
    const code = await new Promise((resolve) => child.once('exit', resolve))
    expect([code, err]).toEqual([0, ''])
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s cancels the call', async (signal) => {
    const running = await answering(() => undefined)
    const child = home.start(['--text', 'x'], { program: note })
    const ended = endOf(child)
    await until(() => running.asked.length === 1)
    expect(running.cut()).toBe(0)
    child.kill(signal)
    const { code, err } = await ended
    expect([code, errorIn(err)]).toEqual([130, expect.objectContaining({ code: 'CANCELLED' })])
    await until(() => running.cut() === 1)
  })

  it('reports that the daemon died during the call, and does not retry', async () => {
    const running = await scriptedDaemon(home, (_, socket) => {
      socket.destroy()
      return undefined
    })
    daemon = running
    const { code, out, err } = await home.proxy(['--text', 'x'], { program: note })
    expect([code, out, running.asked.length]).toEqual([11, '', 1])
    expect(errorIn(err)).toMatchObject({
      code: 'DAEMON_LOST',
      hint: expect.stringContaining('ctxd audit query') as string,
    })
  })

  it.each(['nothing', 'a stale socket', 'a file'])('explains what to run if there is %s', async (there) => {
    home.write('config/config.toml', '[control]\nautostart = false\n')
    if (there === 'a file') home.write('run/hook.sock', '')
    if (there === 'a stale socket') {
      const stale = join(home.path, 'run', 'hook.sock')
      home.write('run/made', '')
      const script = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`
      spawnSync(process.execPath, ['-e', script, stale])
    }
    const { code, out, err } = await home.proxy(['--text', 'x'], { program: note })
    expect([code, out]).toEqual([11, ''])
    expect(errorIn(err)).toMatchObject({
      code: 'DAEMON_NOT_RUNNING',
      hint: expect.stringContaining('ctxd start') as string,
    })
  })
})
