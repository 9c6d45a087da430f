/** Tokens in arguments of contextd's tools: files keep their secrets, and no token replaces one. */

import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import * as fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import type { Answer, Result } from '../src/core/result.ts'
import { fixture, gatewayRuntime, textOf, type GatewayRuntime } from './support/gateway-runtime.ts'
import { sampleSecrets } from './support/registry.ts'
import { sandboxHere } from './support/sandbox-here.ts'
import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { dataOf, errorIn, toolRuntime, type ToolRuntime } from './support/tool-runtime.ts'

const [secret = '', another = ''] = sampleSecrets(2)

const files = ['fs:read:**', 'fs:write:**', 'shell:exec']
const rulesWith = (capabilities: readonly string[], more: object = {}): object => ({
  agents: { default: { allow: { servers: ['*'], capabilities }, ...more } },
  defaults: { deny_on_missing_agent: false },
})

let place: ToolRuntime | undefined
let gateway: GatewayRuntime | undefined
afterEach(async () => {
  await place?.close()
  await gateway?.close()
  place = gateway = undefined
})

/** A project with these files, and calls of an agent in it. */
async function project(given: Record<string, string>, rules = rulesWith(files)) {
  const opened = (place = await toolRuntime({ rules }))
  const pathOf = (path: string): string => join(opened.project, path)
  for (const [path, text] of Object.entries(given)) {
    mkdirSync(join(pathOf(path), '..'), { recursive: true })
    writeFileSync(pathOf(path), text)
  }
  return {
    ...opened,
    pathOf,
    onDisk: (path: string) => readFileSync(pathOf(path), 'utf8'),
    /** Without the line numbers. */
    read: async (path: string) => {
      const { text = '' } = dataOf(await opened.call('safe_read', { path })) as { text?: string }
      return text.replaceAll(/^(?:\d+|\?)\t/gm, '')
    },
    write: (path: string, content: string, more: JsonObject = {}) =>
      opened.call('safe_write', { path, content, ...more }),
    edit: (path: string, ...edits: JsonObject[]) => opened.call('safe_edit', { path, edits }),
    bash: (command: string) => opened.call('safe_bash', { command }),
    notes: () =>
      JSON.parse(
        opened.runtime.store
          .prepare("SELECT notes FROM audit WHERE kind = 'outcome' ORDER BY seq DESC LIMIT 1")
          .get()!.notes as string,
      ) as string[],
  }
}

const noteOf = (result: Result): unknown => ((result as Answer).structured as JsonObject).note

describe('a file that is read and written back', () => {
  test('keeps a password byte for byte, and another line can be changed', async () => {
    const original = 'users:\n  - name: "ada"\n    password: "test123"\n    role: reader\n'
    const { read, write, onDisk, notes } = await project({ 'users.yml': original })
    const seen = await read('users.yml')
    expect(seen).toBe(original.replace('test123', '[SECRET_1]'))
    expect(dataOf(await write('users.yml', seen))).toMatchObject({ lines: 'no change' })
    expect(onDisk('users.yml')).toBe(original)
    expect(notes()).toEqual(['restored: [SECRET_1] in content (its secret is in the file)'])
    expect(dataOf(await write('users.yml', seen.replace('reader', 'writer')))).toMatchObject({
      lines: '+1 -1',
    })
    expect(onDisk('users.yml')).toBe(original.replace('reader', 'writer'))
    expect(dataOf(await write('users.yml', '    again: "[SECRET_1]"\n', { append: true }))).toBeTruthy()
    expect(onDisk('users.yml')).toContain('again: "test123"')
  })

  test('is unchanged on disk, whatever secrets are in it', async () => {
    const { read, write, onDisk, pathOf } = await project({})
    const random = seededRandom(11)
    const recipes = [
      'ghp_{alnum:36}',
      'password = "{word:14}"',
      'postgres://app:{alnum:18}@db.example.com/x',
      'AKIA{upper:16}',
    ]
    const planted = recipes.flatMap((recipe) => [
      makeSample(recipe, random).text,
      makeSample(recipe, random).text,
    ])
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    planted.push(String(privateKey.export({ type: 'pkcs8', format: 'pem' })))
    const part = fc.oneof(
      fc.constantFrom(...planted, ...planted.map((text) => `key: ${text}`)),
      fc.constantFrom('# a comment', 'name = "x"', '[SECRET_77]', '', '\t', 'été ✓', '  - item: 12'),
      fc.string({ maxLength: 12 }).map((text) => text.replaceAll(/[\0\r\n]/g, '')),
    )
    let masked = 0
    let number = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 12 }),
        fc.constantFrom('\n', '\r\n'),
        async (parts, end) => {
          const path = `file-${number++}.txt`
          const original = parts.map((text) => text.replaceAll(/\r?\n/g, end) + end).join('')
          writeFileSync(pathOf(path), original)
          const seen = await read(path)
          if (seen !== original) masked++
          expect(errorCode(await write(path, seen))).toBeUndefined()
          expect(onDisk(path)).toBe(original)
        },
      ),
      { numRuns: 60, seed: 3 },
    )
    expect(masked).toBeGreaterThan(20)
  }, 120_000)

  test.runIf(sandboxHere)('gets back a key that was seen with line numbers', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const { read, bash, write, onDisk } = await project({ 'key.pem': `# ours\n${key}` })
    await read('key.pem')
    const { stdout } = dataOf(await bash('cat -n key.pem')) as { stdout: string }
    const [token = ''] = /\[SECRET_\d\]/.exec(stdout) ?? []
    expect(dataOf(await write('key.pem', `# yours\n${token}\n`))).toMatchObject({ lines: '+1 -1' })
    expect(onDisk('key.pem')).toBe(`# yours\n${key}`)
  })

  test('preserves text that only looks like a token', async () => {
    const original = 'See [SECRET_1] and [SECRET_99].\n'
    const { read, write, onDisk } = await project({ 'app.env': `KEY=${secret}\n`, 'readme.md': original })
    await read('app.env')
    expect(await read('readme.md')).toBe(original)
    const changed = `${original}Also [SECRET_98], and [SECRET_1] again.\n`
    expect(errorCode(await write('readme.md', changed))).toBeUndefined()
    expect(onDisk('readme.md')).toBe(changed)
    expect(errorCode(await write('other.md', 'Only [SECRET_99].'))).toBeUndefined()
    expect(onDisk('other.md')).toBe('Only [SECRET_99].')
  })
})

describe('safe_edit', () => {
  const original = `# config\nNAME=x\nKEY=${secret}\nOTHER=${another}\nEND=1\n`

  test('finds a secret by its token, in any part of a line, and answers with the token', async () => {
    const { read, edit, onDisk } = await project({ 'app.env': original })
    expect(await read('app.env')).toContain('KEY=[SECRET_1]\nOTHER=[SECRET_2]')
    const done = await edit(
      'app.env',
      { old: 'NAME=x\nKEY=[SECRET_1]\n', new: 'NAME=y\nPASS=[SECRET_1]\n' },
      { old: '[SECRET_2]', new: '"[SECRET_2]"' },
    )
    expect(dataOf(done)).toMatchObject({
      done: '2 replaced',
      text: '2\tNAME=y\n3\tPASS=[SECRET_1]\n4\tOTHER="[SECRET_2]"',
    })
    expect(onDisk('app.env')).toBe(`# config\nNAME=y\nPASS=${secret}\nOTHER="${another}"\nEND=1\n`)
    expect(dataOf(await edit('app.env', { lines: '3', new: 'AGAIN=[SECRET_1]' }))).toMatchObject({
      text: '3\tAGAIN=[SECRET_1]',
    })
    expect(onDisk('app.env')).toContain(`AGAIN=${secret}\n`)
  })

  test('finds a short password by its token alone', async () => {
    const { read, edit, onDisk } = await project({ 'users.yml': 'password: "test123"\nrole: reader\n' })
    expect(await read('users.yml')).toContain('"[SECRET_1]"')
    expect(errorCode(await edit('users.yml', { old: '[SECRET_1]', new: 'changed' }))).toBeUndefined()
    expect(onDisk('users.yml')).toBe('password: "changed"\nrole: reader\n')
  })

  test('a part of a secret matches no more than a wrong guess', async () => {
    const { read, edit, onDisk } = await project({ 'app.env': original })
    await read('app.env')
    const guess = async (old: string) => errorIn(await edit('app.env', { old, new: 'z', all: true }))
    const wrong = await guess('KEY=zz')
    expect(wrong).toMatchObject({ code: 'EDIT_NOT_APPLIED' })
    expect(wrong.message).toMatch(/no match/)
    for (let length = 1; length < secret.length; length += 5) {
      const right = await guess(`KEY=${secret.slice(0, length)}`)
      expect({ ...right, tokens_used: 0 }).toEqual({ ...wrong, tokens_used: 0 })
      expect(await guess(`${secret.slice(-length)}\n`)).toMatchObject({ message: wrong.message })
    }
    expect(onDisk('app.env')).toBe(original)
    // The probe would notice: the same around text that is no secret.
    expect(errorCode(await edit('app.env', { old: 'NAM', new: 'GAM' }))).toBeUndefined()
    expect(onDisk('app.env')).toContain('GAME=x')
  })

  test('a secret of another file is not written', async () => {
    const { read, edit, onDisk } = await project({ 'app.env': `KEY=${secret}\n`, 'b.txt': 'one\n' })
    await read('app.env')
    await read('b.txt')
    expect(errorIn(await edit('b.txt', { old: 'one', new: '[SECRET_1]' })).code).toBe('SECRET_NOT_REVEALED')
    expect(errorIn(await edit('b.txt', { old: '[SECRET_1]', new: 'x' })).code).toBe('SECRET_NOT_REVEALED')
    expect(onDisk('b.txt')).toBe('one\n')
    expect(errorCode(await edit('b.txt', { old: 'one', new: '[SECRET_77]' }))).toBeUndefined()
    expect(onDisk('b.txt')).toBe('[SECRET_77]\n')
  })

  test('no lines in the middle of a key are replaced, and all of it is', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const { read, edit, onDisk } = await project({ 'key.pem': `# ours\n${key}# end\n` })
    const [token = ''] = /\[SECRET_\d\]/.exec(await read('key.pem')) ?? []
    for (const lines of ['2', '3-4', '9', '1-2']) {
      const error = errorIn(await edit('key.pem', { lines, new: 'x' }))
      expect(error.message, lines).toMatch(/inside a secret/)
    }
    const done = await edit('key.pem', { old: `# ours\n${token}`, new: `# yours\n${token}` })
    expect(errorCode(done)).toBeUndefined()
    expect(onDisk('key.pem')).toBe(`# yours\n${key}# end\n`)
    expect(JSON.stringify(done)).not.toContain(key.split('\n')[4])
    const count = key.trimEnd().split('\n').length
    expect(errorCode(await edit('key.pem', { lines: `2-${count + 1}`, new: 'no key' }))).toBeUndefined()
    expect(onDisk('key.pem')).toBe('# yours\nno key\n# end\n')
  })

  test('in a file with a secret and the characters of its token, each edit means what is there', async () => {
    const both = `# like [SECRET_1]\nNAME=x\nKEY=${secret}\n`
    const { read, edit, onDisk } = await project({ 'app.env': both })
    expect(await read('app.env')).toBe(both.replace(secret, '[SECRET_1]'))
    const done = await edit(
      'app.env',
      { old: '# like [SECRET_1]', new: '# such as [SECRET_1]' },
      { old: 'KEY=[SECRET_1]', new: 'PASS=[SECRET_1]' },
    )
    expect(errorCode(done)).toBeUndefined()
    expect(onDisk('app.env')).toBe(`# such as [SECRET_1]\nNAME=x\nPASS=${secret}\n`)
    expect(errorCode(await edit('app.env', { lines: '3', new: 'KEY=[SECRET_1]' }))).toBeUndefined()
    expect(onDisk('app.env')).toContain(`KEY=${secret}\n`)
    expect(errorIn(await edit('app.env', { old: '[SECRET_1]', new: 'x', all: true })).code).toBe(
      'SECRET_NOT_REVEALED',
    )
  })
})

describe('a file with a secret and with the characters of its token', () => {
  const comment = '# like [SECRET_1]\n'
  const original = `${comment}NAME=x\nKEY=${secret}\n`
  const seen = original.replace(secret, '[SECRET_1]')

  test('keeps both, whichever line is changed', async () => {
    const { read, write, onDisk } = await project({ 'app.env': original })
    expect(await read('app.env')).toBe(seen)
    for (const [from, to] of [
      ['x', 'y'],
      ['like', 'such as'],
      ['KEY', 'PASS'],
    ] as const) {
      const before = onDisk('app.env')
      expect(errorCode(await write('app.env', before.replace(secret, '[SECRET_1]').replace(from, to)))).toBe(
        undefined,
      )
      expect(onDisk('app.env')).toBe(before.replace(from, to))
    }
    expect(errorCode(await write('app.env', 'AGAIN=[SECRET_1]\n', { append: true }))).toBeUndefined()
    expect(onDisk('app.env')).toMatch(new RegExp(`such as \\[SECRET_1\\]\n[^]*AGAIN=${secret}\n$`))
  })

  test('is not written if the token is ambiguous', async () => {
    const { read, write, onDisk } = await project({ 'app.env': original })
    await read('app.env')
    const error = errorIn(await write('app.env', seen.replace('like', 'such as').replace('KEY', 'PASS')))
    expect(error.code).toBe('SECRET_NOT_REVEALED')
    expect(error.reveal).toBeUndefined()
    expect(error.hint).toMatch(/elsewhere these characters as text.*one at a time/)
    expect(onDisk('app.env')).toBe(original)
  })
})

function errorCode(result: Result): string | undefined {
  if (result.kind === 'answer' && result.isError !== true) return undefined
  return errorIn(result).code
}

describe('a secret that is not in the written file', () => {
  test('is refused with the rule that would allow it, and written with that rule', async () => {
    const { read, write, pathOf, close } = await project({ 'app.env': `KEY=${secret}\n` })
    await read('app.env')
    const error = errorIn(await write('new.env', 'KEY=[SECRET_1]\n'))
    expect(error).toMatchObject({
      code: 'SECRET_NOT_REVEALED',
      tokens: '[SECRET_1]',
      agent: 'default',
      reveal: [{ tool: 'safe_write', argument: 'content' }],
    })
    expect(error.hint).toContain('Write the rest')
    expect(error.hint).toContain('{"tool":"safe_write","argument":"content"}')
    expect(error.hint).toContain('"secret:reveal"')
    expect(existsSync(pathOf('new.env'))).toBe(false)
    await close()
    const rule = error.reveal as JsonObject[]
    const allowed = await project(
      { 'app.env': `KEY=${secret}\n` },
      rulesWith([...files, 'secret:reveal'], { reveal: rule }),
    )
    await allowed.read('app.env')
    expect(errorCode(await allowed.write('new.env', 'KEY=[SECRET_1]\n'))).toBeUndefined()
    expect(allowed.onDisk('new.env')).toBe(`KEY=${secret}\n`)
  })

  test('is not restored if the agent may not read the file, or a link leads elsewhere', async () => {
    const given = { 'app.env': `KEY=${secret}\n`, 'hidden/app.env': `KEY=${secret}\n` }
    const rules = rulesWith(['fs:read:*', 'fs:write:**'])
    const { read, write, onDisk, pathOf } = await project(given, rules)
    await read('app.env')
    expect(errorCode(await write('hidden/app.env', 'KEY=[SECRET_1]\nX=1\n'))).toBe('SECRET_NOT_REVEALED')
    symlinkSync(pathOf('hidden/app.env'), pathOf('link.env'))
    expect(errorCode(await write('link.env', 'KEY=[SECRET_1]\nX=1\n'))).toBe('SECRET_NOT_REVEALED')
    expect(errorCode(await write('missing.env', 'KEY=[SECRET_1]\nX=1\n'))).toBe('SECRET_NOT_REVEALED')
    expect(onDisk('hidden/app.env')).toBe(given['hidden/app.env'])
    expect(errorCode(await write('app.env', 'KEY=[SECRET_1]\nX=1\n'))).toBeUndefined()
    expect(onDisk('app.env')).toBe(`KEY=${secret}\nX=1\n`)
  })
})

describe('a command', () => {
  const rewriting = [
    'cat > app.env <<EOF\nKEY=[SECRET_1]\nNAME=y\nEOF',
    "sed -i 's/NAME=x/NAME=[SECRET_1]/' app.env",
    String.raw`sed -i 's/NAME=x/NAME=\[SECRET_1\]/' app.env`,
    'git apply <<EOF\n--- a/app.env\n+++ b/app.env\n@@ -1,2 +1,2 @@\n KEY=[SECRET_1]\n-NAME=x\n+NAME=y\nEOF',
    "python3 -c \"open('app.env','w').write('KEY=[SECRET_1]')\"",
    'curl -H "Authorization: Bearer [SECRET_1]" https://api.example.com/',
    'git commit -am "rotate [SECRET_1]"',
    String.raw`grep -n '\[SECRET_1\]' app.env`,
    'python3 - <<EOF\nprint("[SECRET_1]" in open("app.env").read())\nEOF',
    'echo "KEY=[SECRET_1]" >> app.env',
    "perl -pi -e 's/NAME=x/NAME=[SECRET_1]/' app.env",
    'KEY=[SECRET_1] env',
  ]

  test('does not run with a token in place of a secret', async () => {
    const { read, bash, onDisk } = await project({ 'app.env': `KEY=${secret}\nNAME=x\n` })
    await read('app.env')
    for (const command of rewriting) {
      const error = errorIn(await bash(command))
      expect([command, error.code]).toEqual([command, 'SECRET_TOKEN_IN_ARGUMENT'])
      expect(error.hint).toMatch(/safe_edit/)
    }
    expect(errorIn(await bash(rewriting[5]!)).hint).toContain(
      '{"tool":"safe_bash","argument":"command","host":',
    )
    expect(errorIn(await place!.call('safe_bash', { command: 'cat', stdin: '[SECRET_1]' })).code).toBe(
      'SECRET_TOKEN_IN_ARGUMENT',
    )
    expect(onDisk('app.env')).toBe(`KEY=${secret}\nNAME=x\n`)
  })

  test.runIf(sandboxHere)(
    'runs with a token that was never issued, and with a secret that a rule reveals',
    async () => {
      const rules = rulesWith([...files, 'secret:reveal'], {
        reveal: [{ tool: 'safe_bash', argument: 'command' }],
      })
      const { read, bash, onDisk } = await project({ 'app.env': `KEY=${secret}\nNAME=x\n` }, rules)
      await read('app.env')
      expect(dataOf(await bash('cat > readme <<EOF\nlike [SECRET_99]\nEOF'))).toMatchObject({ exit_code: 0 })
      expect(onDisk('readme')).toBe('like [SECRET_99]\n')
      expect(dataOf(await bash(rewriting[0]!))).toMatchObject({ exit_code: 0 })
      expect(onDisk('app.env')).toBe(`KEY=${secret}\nNAME=y\n`)
      for (const command of rewriting) {
        const ofNobody = command.replaceAll('SECRET_1', 'SECRET_99')
        expect([ofNobody, errorCode(await bash(ofNobody))]).toEqual([ofNobody, undefined])
      }
      const outputs = []
      for (const command of [rewriting[0]!, ...rewriting.slice(-4)])
        outputs.push((dataOf(await bash(command)) as { stdout: string }).stdout)
      expect(outputs).toEqual(['', 'True\n', '', '', expect.stringContaining('KEY=[SECRET_1]\n')])
      expect(onDisk('app.env')).toBe(`KEY=${secret}\nNAME=y\nKEY=${secret}\n`)
    },
  )
})

test('tools that only read report that they received a token, and memory preserves its meaning', async () => {
  const { read, call } = await project(
    { 'app.env': `KEY=${secret}\n` },
    rulesWith([...files, 'memory:read', 'memory:write']),
  )
  await read('app.env')
  expect(noteOf(await call('memory_search', { query: 'rotate [SECRET_1]' }))).toMatch(
    /memory_search received \[SECRET_1\] as these characters/,
  )
  expect(noteOf(await call('memory_search', { query: 'rotate [SECRET_9]' }))).toBeUndefined()
  const memory = { title: 'Deploy', description: 'How to', content: 'Use [SECRET_1].', outcome: 'success' }
  const stored = await call('memory_store', memory)
  expect([errorCode(stored), noteOf(stored)]).toEqual([undefined, undefined])
})

describe('a server behind the gateway', () => {
  const open = async (rules?: object): Promise<{ file: string; started: GatewayRuntime }> => {
    const started = (gateway = await gatewayRuntime({
      servers: {},
      ...(rules && { rules: rules as JsonObject }),
    }))
    const file = join(started.folder, 'app.env')
    writeFileSync(file, `KEY=${secret}\nNAME=x\n`)
    started.writeServers({ files: fixture('file-server', [started.folder]) })
    await expect
      .poll(async () => textOf(await started.execute('files', 'read_file', { path: 'app.env' })), {
        timeout: 20_000,
      })
      .toMatch(/^KEY=\[SECRET_1\]\nNAME=x\n/)
    return { file, started }
  }
  const changed = { path: 'app.env', content: 'KEY=[SECRET_1]\nNAME=y\n' }

  test('does not write a token in place of a secret', async () => {
    const { file, started } = await open()
    const error = errorIn(await started.execute('files', 'write_file', changed))
    expect(error).toMatchObject({
      code: 'SECRET_TOKEN_IN_ARGUMENT',
      agent: 'main',
      reveal: [{ tool: 'files.write_file', argument: 'content' }],
    })
    expect(readFileSync(file, 'utf8')).toBe(`KEY=${secret}\nNAME=x\n`)
    const ofNobody = { path: 'new.env', content: 'KEY=[SECRET_9]\n' }
    expect(textOf(await started.execute('files', 'write_file', ofNobody))).toBe('written')
  })

  test('writes the secret with the rule that the refusal names', async () => {
    const main = {
      allow: { servers: ['*'], capabilities: ['secret:reveal'] },
      reveal: [{ tool: 'files.write_file', argument: 'content' }],
    }
    const { file, started } = await open({ agents: { main }, defaults: { deny_on_missing_agent: false } })
    expect(textOf(await started.execute('files', 'write_file', changed))).toBe('written')
    expect(readFileSync(file, 'utf8')).toBe(`KEY=${secret}\nNAME=y\n`)
  })

  test('searches for the token as text if it declares that it only reads, and the answer says so', async () => {
    const { started } = await open()
    const search = async (query: string): Promise<string> =>
      textOf(await started.execute('files', 'search_file', { path: 'app.env', query }))
    expect(await search('[SECRET_1]')).toMatch(
      /^0 places\nAttention: search_file received \[SECRET_1\] as these characters, not as the secret/,
    )
    expect(await search('[SECRET_9]')).toBe('0 places')
    expect(await search('NAME')).toBe('1 places')
  })
})

describe.runIf(sandboxHere)('a user-defined tool', () => {
  const put = {
    name: 'put',
    schema: { type: 'object', properties: { path: { type: 'string' }, text: { type: 'string' } } },
    script:
      'python3 -c \'import json,os,sys; a=json.load(sys.stdin); open(os.path.join(os.environ["CONTEXTD_WORKSPACE"], a["path"]), "w").write(a["text"]); print("ok")\'',
  }
  const content = { text: 'KEY=[SECRET_1]\nNAME=y\n' }

  test('gets the secret back for a file that contains it and that it can read', async () => {
    const given = { 'src/app.env': `KEY=${secret}\nNAME=x\n`, 'src/new.env': 'NAME=x\n' }
    const { read, call, approved, onDisk } = await project(given)
    await approved({ ...put, required: ['fs:read:src/**', 'fs:write:src/**'] })
    await read('src/app.env')
    expect(errorCode(await call('put', { path: 'src/new.env', ...content }))).toBe('SECRET_NOT_REVEALED')
    expect(dataOf(await call('put', { path: 'src/app.env', ...content }))).toBe('ok\n')
    expect(onDisk('src/app.env')).toBe(`KEY=${secret}\nNAME=y\n`)
    expect(onDisk('src/new.env')).toBe('NAME=x\n')
  })

  test('does not get it for a file that only the agent can read', async () => {
    const given = { 'out/app.env': `KEY=${secret}\nNAME=x\n`, 'src/a': '' }
    const { read, call, approved, onDisk } = await project(given)
    await approved({ ...put, required: ['fs:write:out/**'] })
    await read('out/app.env')
    expect(errorCode(await call('put', { path: 'out/app.env', ...content }))).toBe('SECRET_NOT_REVEALED')
    expect(onDisk('out/app.env')).toBe(given['out/app.env'])
  })

  test('runs with the token if it can change nothing, and the answer says so', async () => {
    const { read, call, approved } = await project({ 'app.env': `KEY=${another}\n` })
    await approved({ name: 'count', script: 'wc -c' })
    await approved({ name: 'send', script: 'echo sent', optional: ['http:fetch:api.example.com'] })
    await read('app.env')
    const counted = await call('count', { text: '[SECRET_1]' })
    expect(errorCode(counted)).toBeUndefined()
    expect(noteOf(counted)).toMatch(/count received \[SECRET_1\]/)
    expect(errorCode(await call('send', { text: '[SECRET_1]' }))).toBe('SECRET_TOKEN_IN_ARGUMENT')
    expect(dataOf(await call('send', { text: '[SECRET_9]' }))).toBe('sent\n')
  })
})
