import { renameSync, rmSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { bookPlace } from '../../../../test/support/watched-book.ts'
import { createServerBook, type ServerBook } from './server-book.ts'

const {
  userFile,
  otherUserFile,
  projectFile,
  otherProjectFile,
  events,
  logged,
  trusted,
  open,
  write,
  writeTrusted,
} = bookPlace({ own: 'servers.json', shared: '.mcp.json' }, createServerBook)

/** A file that declares these servers, each started by a command of this name. */
function declaring(names: readonly string[], command = 'x'): string {
  return JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, { command }])) })
}

/** `name=command` of every current server. */
function there(book: ServerBook): string[] {
  return Array.from(
    book.current(),
    ([name, { transport }]) => `${name}=${transport.kind === 'stdio' ? transport.command : transport.url}`,
  )
}

const invalid = (problem: string): unknown =>
  expect.objectContaining({ code: 'SERVERS_INVALID', message: expect.stringContaining(problem) })

describe('at the start', () => {
  it('there are no servers without files or folders', () => {
    const book = open()
    expect(there(book)).toEqual([])
    expect(book.status()).toEqual({ files: [], warnings: [] })
  })

  it('both user files apply, and the first one wins for equal names', () => {
    write(userFile(), declaring(['a', 'b'], 'first'))
    write(otherUserFile(), declaring(['b', 'c'], 'second'))
    const book = open()
    expect(there(book)).toEqual(['a=first', 'b=first', 'c=second'])
    const warning = `${otherUserFile()}:1: the server "b" has no effect: the name is taken by ${userFile()}:1`
    expect(book.status()).toEqual({
      files: [
        { path: userFile(), role: 'user', state: 'in force' },
        { path: otherUserFile(), role: 'user', state: 'in force' },
      ],
      warnings: [warning],
    })
    expect(logged).toEqual([`warn ${warning}`])
  })

  it('a disabled server is not listed but reserves its name', () => {
    write(userFile(), '{"mcpServers": {"a": {"command": "x", "disabled": true}}}')
    writeTrusted(projectFile(), declaring(['a', 'b']))
    expect(there(open())).toEqual(['b=x'])
  })

  it('keys without effect cause warnings', () => {
    write(userFile(), '{"mcpServers": {"a": {"command": "x", "arg": []}}}')
    expect(open().status().warnings).toEqual([expect.stringContaining('did you mean "args"?')])
    expect(logged).toEqual([expect.stringMatching(/^warn .*"arg"/)])
  })

  it.each([
    ['no JSON', '{', ':1:2: expected a key or "}"'],
    ['wrong', '{"mcpServers": {"a": {}}}', ':1:22: mcpServers.a: expected "command" or "url"'],
    ['too large', ' '.repeat(2_000_000), 'is larger than'],
  ])('a file that is %s is an error', (_, content, problem) => {
    write(userFile(), content)
    expect(() => open()).toThrow(invalid(problem))
  })

  it('two names that are listed the same way are an error, also across files', () => {
    write(userFile(), declaring(['a.b']))
    write(otherUserFile(), declaring(['a_b']))
    expect(() => open()).toThrow(invalid('"a_b" and "a.b" cannot both be used'))
    write(otherUserFile(), declaring(['a-b']))
    expect(there(open())).toEqual(['a.b=x', 'a-b=x'])
  })

  it('an explicitly named file must exist', () => {
    const files = { user: [userFile()], userIsNamed: true, project: [] }
    expect(() => open({ files })).toThrow(invalid('GATEWAY_MCP_CONFIG names a file that does not exist'))
    write(userFile(), declaring(['a']))
    expect(there(open({ files }))).toEqual(['a=x'])
  })
})

describe('a project', () => {
  it('whose file names only contextd causes no warning', () => {
    write(otherProjectFile(), JSON.stringify({ mcpServers: { contextd: { command: 'contextd' } } }))
    open()
    expect(events).toEqual([])
    write(otherProjectFile(), declaring(['other']))
    open()
    expect(events).toMatchObject([{ kind: 'ignored' }])
  })

  it('has no servers until its file is trusted', () => {
    write(projectFile(), declaring(['evil']))
    write(otherProjectFile(), '{')
    const book = open()
    expect(there(book)).toEqual([])
    expect(book.status().files).toEqual([
      { path: projectFile(), role: 'project', state: 'not trusted' },
      { path: otherProjectFile(), role: 'project', state: 'not trusted' },
    ])
    expect(events).toMatchObject([{ kind: 'ignored' }, { kind: 'ignored' }])
    trusted.add(projectFile() + declaring(['evil']))
    book.refresh()
    expect(there(book)).toEqual(['evil=x'])
    trusted.add(`${otherProjectFile()}{`)
    expect(() => open()).toThrow(invalid('expected a key'))
  })

  it('cannot override a user server, nor a name listed the same way', () => {
    write(userFile(), declaring(['a', 'b.c'], 'mine'))
    writeTrusted(projectFile(), declaring(['a', 'b_c', 'd'], 'theirs'))
    const book = open()
    expect(there(book)).toEqual(['a=mine', 'b.c=mine', 'd=theirs'])
    expect(book.status().warnings).toEqual([
      expect.stringContaining('the server "a" has no effect: the name is taken by'),
      expect.stringContaining(
        'the server "b_c" has no effect: the name "b.c", which is listed the same way, is taken by',
      ),
    ])
  })

  it('keeps the trusted version when its file changes, and nothing when it is deleted', () => {
    writeTrusted(projectFile(), declaring(['a']))
    const book = open()
    write(projectFile(), declaring(['a', 'evil']))
    book.refresh()
    expect(there(book)).toEqual(['a=x'])
    expect(book.status().files).toEqual([{ path: projectFile(), role: 'project', state: 'kept' }])
    expect(events).toEqual([
      { kind: 'kept', role: 'project', file: projectFile(), problem: 'the changed file is not trusted' },
    ])
    rmSync(projectFile())
    book.refresh()
    expect(there(book)).toEqual([])
    expect(book.status()).toEqual({ files: [], warnings: [] })
  })
})

describe('a reload', () => {
  it('applies a valid file', () => {
    write(userFile(), declaring(['a']))
    const book = open()
    write(userFile(), declaring(['a', 'b']))
    book.refresh()
    expect(there(book)).toEqual(['a=x', 'b=x'])
    expect(events).toEqual([{ kind: 'loaded', role: 'user', file: userFile() }])
    expect(logged).toEqual(['info servers loaded'])
  })

  it('keeps the last valid servers when a file is invalid, and reports it once', () => {
    write(userFile(), declaring(['a']))
    write(otherUserFile(), declaring(['b']))
    const book = open()
    write(userFile(), '{"mcpServers": {"a": {"command": 1}}}')
    book.refresh()
    book.refresh()
    expect(there(book)).toEqual(['a=x', 'b=x'])
    const problem = `${userFile()}:1:34: mcpServers.a.command: expected a string, found a number`
    expect(book.status()).toMatchObject({
      files: [{ state: 'kept' }, { state: 'in force' }],
      lastError: { at: 1000, file: userFile(), problem },
    })
    expect(events).toEqual([{ kind: 'kept', role: 'user', file: userFile(), problem }])
    expect(logged).toEqual(['error servers not accepted, the earlier version still applies'])
    write(userFile(), declaring(['c']))
    book.refresh()
    expect(there(book)).toEqual(['c=x', 'b=x'])
    expect(book.status().lastError).toBeUndefined()
  })

  it('rejects names that are listed the same way until the other one is removed', () => {
    write(userFile(), declaring(['a.b']))
    write(otherUserFile(), declaring(['c']))
    const book = open()
    write(otherUserFile(), declaring(['a_b']))
    book.refresh()
    expect(there(book)).toEqual(['a.b=x', 'c=x'])
    expect(book.status().lastError?.problem).toContain('"a_b" and "a.b" cannot both be used')
    write(userFile(), declaring(['d']))
    book.refresh()
    expect(there(book)).toEqual(['d=x', 'a_b=x'])
    expect(book.status().lastError).toBeUndefined()
  })

  it('drops the servers of a file that is deleted', () => {
    write(userFile(), declaring(['a']))
    write(otherUserFile(), declaring(['a', 'b'], 'other'))
    const book = open()
    rmSync(userFile())
    book.refresh()
    expect(there(book)).toEqual(['a=other', 'b=other'])
    expect(events).toEqual([{ kind: 'removed', role: 'user', file: userFile() }])
  })

  it('of an unchanged file has no effect', () => {
    write(userFile(), declaring(['a']))
    const book = open()
    const before = book.current()
    write(userFile(), declaring(['a']))
    book.refresh()
    expect(book.current()).toBe(before)
    expect(events).toEqual([])
  })

  it('keeps the servers when trust cannot be checked', () => {
    let broken = false
    writeTrusted(projectFile(), declaring(['a']))
    const book = open({
      isTrusted: () => {
        if (broken) throw new Error('store is gone')
        return true
      },
    })
    broken = true
    write(projectFile(), declaring(['evil']))
    book.refresh()
    expect(there(book)).toEqual(['a=x'])
    expect(events).toMatchObject([{ kind: 'kept', problem: 'cannot be loaded: Error: store is gone' }])
  })

  it('applies even if it cannot be recorded', () => {
    const book = open({
      onEvent: () => {
        throw new Error('disk full')
      },
    })
    write(userFile(), declaring(['a']))
    book.refresh()
    expect(there(book)).toEqual(['a=x'])
    expect(logged).toEqual(['info servers loaded', 'error a change of the servers was not recorded'])
  })

  it('notifies listeners until they unsubscribe', () => {
    const book = open()
    let told = 0
    const stop = book.onChange(() => told++)
    write(userFile(), declaring(['a']))
    book.refresh()
    expect(told).toBe(1)
    stop()
    write(userFile(), declaring(['b']))
    book.refresh()
    expect(told).toBe(1)
  })
})

it('follows files that are saved, created, deleted or trusted', async () => {
  const changed = (book: ServerBook) => new Promise<void>((resolve) => book.onChange(resolve))
  const book = open()
  const steps: [() => void, string[]][] = [
    [() => write(userFile(), declaring(['a'])), ['a=x']],
    [
      () => {
        write(`${userFile()}.tmp`, declaring(['b']))
        renameSync(`${userFile()}.tmp`, userFile())
      },
      ['b=x'],
    ],
    [() => writeTrusted(projectFile(), declaring(['c'])), ['b=x', 'c=x']],
    [() => rmSync(userFile()), ['c=x']],
  ]
  for (const [step, servers] of steps) {
    const change = changed(book)
    step()
    await change
    expect(there(book)).toEqual(servers)
  }
})
