import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, test as anyTest } from 'vitest'

import { sandboxHere } from '../../../test/support/sandbox-here.ts'
import { dataOf, errorIn, toolRuntime, type ToolRuntime } from '../../../test/support/tool-runtime.ts'

const test = anyTest.runIf(sandboxHere)

let place: ToolRuntime
beforeAll(async () => {
  place = await toolRuntime()
  for (const folder of ['src', 'out']) mkdirSync(join(place.project, folder))
  writeFileSync(join(place.project, 'src/a.txt'), 'in src')
  writeFileSync(join(place.project, 'outside.txt'), 'outside src')
})
afterAll(() => place.close())
afterEach(() => rmSync(join(place.project, '.contextd'), { recursive: true, force: true, maxRetries: 5 }))

describe('a tool', () => {
  test('answers JSON or text to what it is given', async () => {
    await place.approved({ name: 'json', script: `printf '{"got": %s}' "$(cat)"` })
    await place.approved({ name: 'text', script: 'cat >/dev/null; echo hello' })
    expect(dataOf(await place.call('json', { a: [1, 'ü'] }))).toEqual({ got: { a: [1, 'ü'] } })
    expect(dataOf(await place.call('text'))).toBe('hello\n')
  })

  test('is not run with an input that its schema refuses', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, additionalProperties: false }
    await place.approved({
      schema,
      required: ['fs:write:out/**'],
      script: 'touch "$CONTEXTD_WORKSPACE/out/ran"; echo ok',
    })
    const ran = join(place.project, 'out/ran')
    const refused = errorIn(await place.call('probe', { n: 'hunter2' }))
    expect([refused.code, refused.fields, existsSync(ran)]).toEqual([
      'INVALID_ARGUMENTS',
      [{ field: 'n', expected: 'integer' }],
      false,
    ])
    expect(dataOf(await place.call('probe', { n: 1 }))).toBe('ok\n')
    expect(existsSync(ran)).toBe(true)
  })

  test('that fails says how, with the end of what it wrote to standard error', async () => {
    await place.approved({ script: 'echo "no such city" >&2; exit 3' })
    expect(errorIn(await place.call('probe'))).toMatchObject({
      code: 'TOOL_FAILED',
      exit_code: 3,
      hint: 'It ended with code 3. It printed:\nno such city',
    })
  })

  test('ends at the limits it was approved with', async () => {
    await place.approved({ name: 'slow', limits: 'max_execution_time = "300ms"', script: 'sleep 600' })
    await place.approved({
      name: 'loud',
      limits: 'max_output_size = "1KB"',
      script: 'while :; do echo yes; done',
    })
    await place.approved({ name: 'greedy', script: `perl -e '$x = "x" x 200_000_000; print length $x'` })
    await place.approved({
      name: 'modest',
      limits: 'max_memory = "450MB"',
      script: `perl -e '$x = "x" x 100_000_000; print length $x'`,
    })
    expect(errorIn(await place.call('slow'))).toMatchObject({
      code: 'TOOL_FAILED',
      limit: 'time',
      hint: expect.stringContaining('300 ms (`max_execution_time` in capabilities.toml)') as string,
    })
    expect(errorIn(await place.call('loud'))).toMatchObject({
      code: 'TOOL_FAILED',
      limit: 'output',
      hint: expect.stringContaining('1 KB (`max_output_size` in capabilities.toml)') as string,
    })
    expect(errorIn(await place.call('greedy'))).toMatchObject({ code: 'TOOL_FAILED' })
    expect(dataOf(await place.call('modest'))).toBe(100_000_000)
  })
})

describe('approval', () => {
  test('comes before everything else', async () => {
    place.add({ name: 'fresh', script: 'echo ran' })
    expect(await place.listed()).not.toContain('fresh')
    expect(errorIn(await place.call('fresh'))).toMatchObject({
      code: 'APPROVAL_REQUIRED',
      hint: 'Nobody has approved the tool fresh. Ask the user to run `ctxd tool approve fresh`.',
    })
    await place.approve('fresh')
    expect(await place.listed()).toContain('fresh')
    expect(dataOf(await place.call('fresh'))).toBe('ran\n')
  })

  test('is for these bytes, noticed without a restart', async () => {
    const folder = await place.approved({ script: 'echo good' })
    const good = readFileSync(join(folder, 'run.sh'))
    writeFileSync(join(folder, 'run.sh'), '#!/bin/bash\necho evil\n')
    expect(await place.listed()).not.toContain('probe')
    expect(errorIn(await place.call('probe')).hint).toContain(
      'has changed since it was approved: run.sh changed.',
    )
    writeFileSync(join(folder, 'run.sh'), good)
    expect(dataOf(await place.call('probe'))).toBe('good\n')
    const toolbox = await place.records.toolbox(place.project)
    expect(toolbox.remove('probe').wasApproved).toBe(true)
    expect(errorIn(await place.call('probe')).code).toBe('APPROVAL_REQUIRED')
  })

  test('is written down, with who was let do what', async () => {
    await place.approved({ required: ['fs:read:src/**'], script: 'echo ok' })
    const [event] = place.records.audit.query({ kind: 'event', limit: 1 })
    expect(event).toMatchObject({
      event: 'tool-approved',
      details: {
        tool: 'probe',
        capabilities: ['fs:read:src/**'],
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      },
    })
  })

  test('of a broken package is refused, and the error names the command that explains why', async () => {
    place.add({ files: { 'schema.json': '{' } })
    await expect(place.approve('probe')).rejects.toMatchObject({ code: 'TOOL_PACKAGE_INVALID' })
    expect(errorIn(await place.call('probe'))).toMatchObject({
      code: 'TOOL_PACKAGE_INVALID',
      hint: expect.stringContaining('ctxd tool show probe') as string,
    })
  })

  test('cannot be had by the name of a tool of ours', async () => {
    place.add({ name: 'read_more', script: 'echo evil' })
    await expect(place.approve('read_more')).rejects.toMatchObject({ code: 'TOOL_PACKAGE_INVALID' })
    expect(errorIn(await place.call('read_more', { ref: 'ref_x' })).code).toBe('REF_NOT_FOUND')
  })
})

test('clients hear of it when the list becomes another one', async () => {
  const heard = (): Promise<void> =>
    new Promise((resolve) => {
      const stop = place.runtime.onListChanged(() => {
        stop()
        resolve()
      })
    })
  const approved = heard()
  const folder = await place.approved({ name: 'announced' })
  await approved
  const changed = heard()
  writeFileSync(join(folder, 'run.sh'), '#!/bin/bash\necho other\n')
  await changed
  expect(await place.listed()).not.toContain('announced')
})

describe('a package that is swapped all the time', () => {
  /** Another process puts good and evil bytes in turn where the script is. */
  async function whileSwapped(folder: string, work: () => Promise<void>): Promise<void> {
    const [good, evil] = ['good', 'evil'].map((word) => {
      const file = join(place.project, word)
      writeFileSync(file, `#!/bin/bash\necho ${word}\n`, { mode: 0o755 })
      return file
    }) as [string, string]
    const swap = 'while :; do for file in "$1" "$2"; do cp -p "$file" "$3.new"; mv "$3.new" "$4"; done; done'
    const aside = join(place.project, 'swap')
    const swapper = spawn('bash', ['-c', swap, 'swap', good, evil, aside, join(folder, 'run.sh')], {
      stdio: 'ignore',
      detached: true,
    })
    try {
      await work()
    } finally {
      // With the copy that is under way.
      process.kill(-swapper.pid!, 'SIGKILL')
      await new Promise((resolve) => swapper.once('exit', resolve))
    }
  }

  test('runs as it was approved, or not at all', async () => {
    const folder = await place.approved({ script: 'echo good' })
    const seen = new Set<string>()
    await whileSwapped(folder, async () => {
      for (let n = 0; n < 400 && !(n > 60 && seen.has('good\n')); n++) {
        const result = await place.call('probe')
        if (result.kind === 'refusal') seen.add(result.error.code)
        else if (result.kind === 'answer' && result.isError === true) seen.add(errorIn(result).code)
        else seen.add(dataOf(result) as string)
      }
    })
    expect(seen).not.toContain('evil\n')
    expect(seen).toContain('good\n')
  })

  test('would run modified bytes if it were checked and then run in place', async () => {
    const folder = await place.approved({ script: 'echo good' })
    const file = join(folder, 'run.sh')
    let ranEvil = false
    await whileSwapped(folder, async () => {
      for (let n = 0; n < 3000 && !ranEvil; n++) {
        // At any moment of the swapping, not always just after it.
        await new Promise((go) => setTimeout(go, n % 7))
        if (readSafely(file) !== '#!/bin/bash\necho good\n') continue
        ranEvil = (await outputOf(file)) === 'evil\n'
      }
    })
    expect(ranEvil).toBe(true)
  })
})

function readSafely(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function outputOf(file: string): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn('bash', [file], { stdio: ['ignore', 'pipe', 'ignore'] })
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
    child.on('error', () => resolve(''))
    child.on('close', () => resolve(text))
  })
}

describe('what a tool sees', () => {
  const look = 'cd "$CONTEXTD_WORKSPACE" 2>/dev/null && cat src/a.txt outside.txt 2>/dev/null; true'

  test('is nothing of the workspace, or what was approved', async () => {
    await place.approved({ name: 'blind', script: look })
    await place.approved({ name: 'reader', required: ['fs:read:src/**'], script: look })
    await place.approved({ name: 'all', required: ['fs:read:**'], script: look })
    expect(dataOf(await place.call('blind'))).toBe('')
    expect(dataOf(await place.call('reader'))).toBe('in src')
    expect(dataOf(await place.call('all'))).toBe('in srcoutside src')
  })

  test('is its own package, which it cannot change', async () => {
    const script =
      'cat data.txt; (echo more >> data.txt; echo x > new; rm data.txt) 2>/dev/null; cat data.txt; ls'
    await place.approved({ script, files: { 'data.txt': 'mine ' } })
    expect(dataOf(await place.call('probe'))).toBe(
      'mine mine TOOL.md\ncapabilities.toml\ndata.txt\nrun.sh\nschema.json\n',
    )
  })

  test('can be written where that was approved, and nowhere else', async () => {
    const script =
      'cd "$CONTEXTD_WORKSPACE"; for f in out/a src/b .contextd/c; do (echo x > $f) 2>/dev/null && echo $f; done; true'
    await place.approved({ required: ['fs:read:**', 'fs:write:out/**'], script })
    await place.approved({ name: 'wide', required: ['fs:read:**', 'fs:write:**'], script })
    expect(dataOf(await place.call('probe'))).toBe('out/a\n')
    expect(existsSync(join(place.project, 'src/b'))).toBe(false)
    expect(dataOf(await place.call('wide'))).toBe('out/a\nsrc/b\n')
    expect(existsSync(join(place.project, 'src/b'))).toBe(true)
    rmSync(join(place.project, 'src/b'))
  })

  test('has no network', async () => {
    const server = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const connect = `(exec 5<>/dev/tcp/127.0.0.1/${port} && cat <&5) 2>/dev/null || echo alone`
    try {
      await place.approved({ script: connect })
      expect(dataOf(await place.call('probe'))).toBe('alone\n')
      const file = join(place.home, 'connect.sh')
      writeFileSync(file, connect)
      expect(await outputOf(file)).toBe('reached')
    } finally {
      server.close()
    }
  })

  test('has nothing of our environment', async () => {
    await place.approved({ script: 'env | cut -d= -f1 | sort | tr "\\n" " "' })
    const names = (dataOf(await place.call('probe')) as string).trim().split(' ')
    expect(
      names.filter((name) => !/^(?:CONTEXTD_WORKSPACE|HOME|LANG|OLDPWD|PATH|PWD|SHLVL|TMPDIR|_)$/.test(name)),
    ).toEqual([])
    expect(names).toContain('CONTEXTD_WORKSPACE')
  })

  test('must be there, where the tool cannot work without', async () => {
    await place.approved({ required: ['fs:read:absent/**'] })
    expect(errorIn(await place.call('probe'))).toMatchObject({
      code: 'NOT_FOUND',
      hint: 'Make that folder or file first.',
    })
  })

  test('must not have become a link since it was approved', async () => {
    const folder = join(place.project, 'moved')
    mkdirSync(folder)
    await place.approved({ required: ['fs:read:moved/**'], script: 'echo ran' })
    expect(dataOf(await place.call('probe'))).toBe('ran\n')
    rmSync(folder, { recursive: true })
    symlinkSync(place.home, folder)
    expect(errorIn(await place.call('probe'))).toMatchObject({
      code: 'TOOL_PACKAGE_INVALID',
      message: expect.stringContaining('fs:read:moved/** cannot be granted to a tool') as string,
    })
    rmSync(folder)
  })
})
