import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { buffer, text as textOf } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'

const program = fileURLToPath(new URL('../../../bin/ctxd.js', import.meta.url))

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

type Filter = ChildProcessByStdio<Writable, Readable, Readable>

function start(...argv: string[]): Filter {
  return spawn(process.execPath, [program, 'scrub', ...argv], {
    cwd: home.project,
    env: { ...home.env, PATH: process.env.PATH, NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

async function feed(filter: Filter, pieces: Iterable<string | Uint8Array>): Promise<void> {
  for (const piece of pieces) if (!filter.stdin.write(piece)) await once(filter.stdin, 'drain')
  filter.stdin.end()
}

async function run(argv: readonly string[], pieces: Iterable<string | Uint8Array>): Promise<Buffer> {
  const filter = start(...argv)
  const ended = once(filter, 'close')
  const [bytes, err] = await Promise.all([buffer(filter.stdout), textOf(filter.stderr), feed(filter, pieces)])
  expect([err, await ended]).toEqual(['', [0, null]])
  return bytes
}

const random = seededRandom(31)
const pat = (): string => makeSample('ghp_{alnum:36}', random).text
const benign = 'const total = items.reduce((sum, item) => sum + item.price, 0) // ¢ and 𝒙\n'

function* repeat(piece: Uint8Array, times: number): Generator<Uint8Array> {
  for (let i = 0; i < times; i++) yield piece
}

describe('a pipe', () => {
  it('may deliver text in chunks of any size', async () => {
    const secrets = [pat(), pat(), pat()]
    const text = secrets.map((secret) => `${benign}token 🔑 ${secret} end\n`).join('')
    const expected = secrets.reduce((left, secret, i) => left.replace(secret, `[SECRET_${i + 1}]`), text)
    const bytes = Buffer.from(text)
    for (const size of [1, 3, 7, 61]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      )
      expect((await run([], pieces)).toString()).toBe(expected)
    }
  })

  it('leaks no secret across chunk boundaries', async () => {
    const parts: string[] = []
    const expected: string[] = []
    for (let i = 1; i <= 700; i++) {
      const around = benign.repeat(1 + Math.floor(random() * 30)).slice(0, -1 - Math.floor(random() * 40))
      parts.push(`${around} ${pat()} `)
      expected.push(`${around} [SECRET_${i}] `)
    }
    const bytes = Buffer.from(parts.join(''))
    expect(bytes.length).toBeGreaterThan(600_000)
    // The texts are too long for a diff in the failure message.
    expect((await run([], [bytes])).equals(Buffer.from(expected.join('')))).toBe(true)
  })

  it('passes on bytes that are not text', async () => {
    const bytes = Buffer.from(Uint8Array.from({ length: 400_000 }, () => 0x80 + Math.floor(random() * 0x80)))
    bytes.fill(0, 1000, 1100)
    expect((await run([], [bytes])).equals(bytes)).toBe(true)
  })

  it('passes on safe text before the input ends', async () => {
    const filter = start()
    const piece = Buffer.from(benign.repeat(1000))
    for (const bytes of repeat(piece, 20)) filter.stdin.write(bytes)
    const [first] = (await once(filter.stdout, 'data')) as [Buffer]
    expect(piece.subarray(0, 100).equals(first.subarray(0, 100))).toBe(true)
    expect(filter.exitCode).toBe(null)
    filter.stdin.end()
    filter.stdout.resume()
    expect(await once(filter, 'close')).toEqual([0, null])
  })

  it('waits for the reader', async () => {
    const filter = start()
    const piece = Buffer.from(benign.repeat(10_000))
    for (const bytes of repeat(piece, 20)) filter.stdin.write(bytes)
    filter.stdin.end()
    await setTimeout(1500)
    expect(filter.stdin.writableLength).toBeGreaterThan(piece.length)
    expect((await buffer(filter.stdout)).length).toBe(20 * piece.length)
  })

  it.each([[], ['--jsonl']])('ends quietly if the reader disconnects: %j', async (...argv) => {
    const filter = start(...argv)
    const lines = argv.length === 0 ? benign : `${JSON.stringify({ text: benign })}\n`
    const piece = Buffer.from(lines.repeat(1000))
    filter.stdin.on('error', () => {})
    const err = textOf(filter.stderr)
    const ended = once(filter, 'close')
    filter.stdout.once('data', () => filter.stdout.destroy())
    while (filter.exitCode === null && !filter.stdin.destroyed) {
      if (!filter.stdin.write(piece)) await Promise.race([once(filter.stdin, 'drain'), ended]).catch(() => {})
    }
    expect([await ended, await err]).toEqual([[0, null], ''])
  })
})

describe.skipIf(!existsSync('/proc/self/status'))('memory', () => {
  const piece = Buffer.from('total = items.reduce((sum, item) => sum + item.price, 0)\n'.repeat(18_000))

  async function peakFor(argv: string[], megabytes: number): Promise<number> {
    const filter = start('--no-decode', ...argv)
    let peak = 0
    const look = setInterval(() => {
      const status = existsSync(`/proc/${filter.pid}/status`)
        ? readFileSync(`/proc/${filter.pid}/status`, 'utf8')
        : ''
      peak = Math.max(peak, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1000)
    }, 20)
    filter.stdout.resume()
    const ended = once(filter, 'close')
    await feed(filter, repeat(piece, megabytes))
    expect(await ended).toEqual([0, null])
    clearInterval(look)
    return peak
  }

  it('does not grow with the text, unless all of it is one result', async () => {
    // Memory is released late if there is no pressure.
    const some = await peakFor([], 50)
    expect((await peakFor([], 150)) - some).toBeLessThan(90)
    expect((await peakFor(['--json'], 150)) - some).toBeGreaterThan(90)
  })
})

describe('a line of 50 MB', () => {
  const filler = Buffer.from('lorem ipsum '.repeat(100_000))

  it('is scrubbed', async () => {
    const out = await run([], [...repeat(filler, 21), `${pat()} `, ...repeat(filler, 21)])
    expect(out.length).toBe(42 * filler.length + '[SECRET_1] '.length)
    expect(out.includes('[SECRET_1] lorem')).toBe(true)
  })

  it('is scrubbed as JSON too', async () => {
    const lines = ['{"text":"', ...repeat(filler, 42), pat(), '"}\n{"text":"next"}\n']
    const [first, next] = (await run(['--jsonl'], lines)).toString().trimEnd().split('\n')
    const { text, findings } = JSON.parse(first!) as { text: string; findings: unknown[] }
    expect(text.endsWith('ipsum [SECRET_1]')).toBe(true)
    expect(findings).toHaveLength(1)
    expect(next).toBe('{"text":"next","findings":[]}')
  })
})

it('leaves nothing behind and needs no setup', async () => {
  expect((await run([], ['a'])).toString()).toBe('a')
  expect(existsSync(join(home.path, 'state'))).toBe(false)
  expect(existsSync(join(home.path, 'config'))).toBe(false)
})
