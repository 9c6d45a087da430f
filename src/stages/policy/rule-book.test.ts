import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

import { describe, expect, it } from 'vitest'

import { ask } from '../../../test/support/policy-rules.ts'
import { bookPlace } from '../../../test/support/watched-book.ts'
import { createRuleBook, type RuleBook } from './rule-book.ts'

const {
  userFile,
  otherUserFile,
  projectFile,
  otherProjectFile,
  fileNamed,
  events,
  logged,
  trusted,
  open,
  write,
  writeTrusted,
} = bookPlace({ own: 'rules.json', shared: '.mcp-gateway-rules.json' }, createRuleBook)

/** Rules that allow agent `a` these servers. */
function granting(...servers: string[]): string {
  return JSON.stringify({ agents: { a: { allow: { servers } } } })
}

function may(book: RuleBook, server: string, agent = 'a'): boolean {
  return ask(book.current(), { agent, server, tool: 'any' }).effect === 'allow'
}

describe('at the start', () => {
  it('the built-in rules apply without a file or folder', () => {
    const book = open()
    expect(may(book, 'contextd', 'main')).toBe(true)
    expect(may(book, 'db', 'main')).toBe(false)
    expect(book.status()).toEqual({ files: [], loadedAt: 1000 })
  })

  it("the user's file is read, under the first existing name", () => {
    write(otherUserFile(), granting('old'))
    expect(may(open(), 'old')).toBe(true)
    write(userFile(), granting('new'))
    const book = open()
    expect(may(book, 'new')).toBe(true)
    expect(may(book, 'old')).toBe(false)
    expect(book.status().files).toEqual([{ path: userFile(), role: 'user', state: 'in force' }])
  })

  it.each([
    ['no JSON', '{', 'expected a key or "}"'],
    ['wrong', '{"agents": []}', 'expected an object'],
    ['a failing example', '{"agents": {"a": {}}, "examples": {"allow": ["a db.query"]}}', 'should be allow'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'is not UTF-8 text'],
    ['too large', ' '.repeat(2_000_000), 'is larger than'],
  ])('a file that is %s is an error', (_, content, problem) => {
    mkdirSync(dirname(userFile()))
    writeFileSync(userFile(), content)
    expect(() => open()).toThrow(
      expect.objectContaining({ code: 'RULES_INVALID', message: expect.stringContaining(problem) }),
    )
  })

  it('a folder in place of the file is an error too', () => {
    mkdirSync(userFile(), { recursive: true })
    expect(() => open()).toThrow(expect.objectContaining({ code: 'RULES_INVALID' }))
  })

  it('a file that was named must exist', () => {
    const files = { user: [userFile()], userIsNamed: true, project: [] }
    expect(() => open({ files })).toThrow(/GATEWAY_RULES names a file that does not exist/)
    write(userFile(), granting('db'))
    expect(may(open({ files }), 'db')).toBe(true)
  })
})

describe('a project', () => {
  it("grants services of the machine only together with the user's rules", () => {
    const rules = (...capabilities: string[]): string =>
      JSON.stringify({ agents: { a: { allow: { servers: ['contextd'], capabilities } } } })
    const grantsOf = (book: RuleBook): (string | undefined)[] | undefined =>
      book
        .current()
        .agents.get('a')
        ?.grants.map(({ scope }) => scope)
    // Through CONNECT, a port of an address is any service there.
    const services = ['net:connect:127.0.0.1:5432', 'http:fetch:127.0.0.1:6379', 'http:fetch:10.0.0.0/8']
    const both = [...services, 'http:fetch:a.example']
    writeTrusted(projectFile(), rules(...both))
    expect(grantsOf(open())).toEqual(['a.example'])
    write(userFile(), rules('http:fetch:a.example', 'http:fetch'))
    expect(grantsOf(open())).toEqual(['a.example', 'a.example'])
    write(userFile(), rules(...both))
    expect(grantsOf(open())).toEqual(['127.0.0.1:5432', '127.0.0.1:6379', '10.0.0.0/8', 'a.example'])
  })

  it('has no effect until its file is trusted', () => {
    write(userFile(), granting('db', 'api'))
    write(projectFile(), granting('db'))
    const book = open()
    expect(may(book, 'api')).toBe(true)
    expect(book.status().files).toEqual([
      { path: userFile(), role: 'user', state: 'in force' },
      { path: projectFile(), role: 'project', state: 'not trusted' },
    ])
    trusted.add(projectFile() + granting('db'))
    book.refresh()
    expect(may(book, 'api')).toBe(false)
    expect(may(book, 'db')).toBe(true)
    expect(book.status().files).toMatchObject([{ state: 'in force' }, { state: 'in force' }])
  })

  it('that is not trusted may contain anything', () => {
    write(projectFile(), '{')
    mkdirSync(otherProjectFile())
    expect(may(open(), 'contextd', 'main')).toBe(true)
    trusted.add(`${projectFile()}{`)
    expect(() => open()).toThrow(expect.objectContaining({ code: 'RULES_INVALID' }))
  })

  it('applies alone if the user has no rules', () => {
    writeTrusted(otherProjectFile(), granting('db'))
    const book = open()
    expect(may(book, 'db')).toBe(true)
    expect(may(book, 'contextd', 'main')).toBe(false)
  })

  it('cannot hide its trusted file behind an untrusted one', () => {
    write(userFile(), granting('db', 'api'))
    writeTrusted(otherProjectFile(), granting('db'))
    write(projectFile(), granting('*'))
    const book = open()
    expect(may(book, 'db')).toBe(true)
    expect(may(book, 'api')).toBe(false)
  })

  it('keeps its trusted rules when the file changes or is deleted', () => {
    write(userFile(), granting('db', 'api'))
    writeTrusted(projectFile(), granting('db'))
    const book = open()
    write(projectFile(), granting('db', 'api'))
    book.refresh()
    expect(may(book, 'api')).toBe(false)
    expect(events).toEqual([
      { kind: 'kept', role: 'project', file: projectFile(), problem: 'the changed file is not trusted' },
    ])
    expect(book.status().files[1]).toMatchObject({ path: projectFile(), state: 'kept' })
    rmSync(projectFile())
    book.refresh()
    expect(may(book, 'api')).toBe(false)
    writeTrusted(projectFile(), granting('db', 'api'))
    book.refresh()
    expect(may(book, 'api')).toBe(true)
  })
})

describe('a reload', () => {
  const change = (before: string, after: string): RuleBook => {
    write(userFile(), before)
    const book = open()
    write(userFile(), after)
    book.refresh()
    return book
  }

  it('activates a valid file', () => {
    const book = change(granting('api'), granting('api', 'db'))
    expect(may(book, 'db')).toBe(true)
    expect(events).toEqual([{ kind: 'loaded', role: 'user', file: userFile() }])
    expect(logged).toEqual(['info rules loaded'])
  })

  it('keeps the last valid rules when the file is invalid, and reports that once', () => {
    const book = change(granting('api'), '{"agents": {"a": {"allow": {"servers": "db"}}}}')
    book.refresh()
    expect(may(book, 'api')).toBe(true)
    const problem = `${userFile()}:1:40: agents.a.allow.servers: expected a list, found a string`
    expect(book.status()).toEqual({
      files: [{ path: userFile(), role: 'user', state: 'kept' }],
      loadedAt: 1000,
      lastError: { at: 1000, file: userFile(), problem },
    })
    expect(events).toEqual([{ kind: 'kept', role: 'user', file: userFile(), problem }])
    expect(logged).toEqual(['error rules not accepted, the earlier ones stay in force'])
    write(userFile(), granting('db'))
    book.refresh()
    expect(may(book, 'db')).toBe(true)
    expect(book.status()).toEqual({
      files: [{ path: userFile(), role: 'user', state: 'in force' }],
      loadedAt: 1000,
    })
  })

  it('rejects a pattern with a star inside, as at the start', () => {
    const inside = JSON.stringify({
      agents: { a: { allow: { servers: ['db'], tools: { db: ['get_*_data'] } } } },
    })
    expect(may(change(granting('db'), inside), 'db')).toBe(true)
    expect(events).toMatchObject([{ kind: 'kept' }])
  })

  it('adds, changes and removes agents', () => {
    const both = JSON.stringify({ agents: { a: {}, b: { allow: { servers: ['db'] } } } })
    const book = change(granting('api'), both)
    expect(may(book, 'db', 'b')).toBe(true)
    expect(may(book, 'api', 'a')).toBe(false)
    write(userFile(), granting('api'))
    book.refresh()
    expect(may(book, 'db', 'b')).toBe(false)
    expect(book.current().resolveAgent('b')).toBeUndefined()
  })

  it('changes the defaults', () => {
    const book = change('{"agents": {}}', '{"agents": {}, "defaults": {"deny_on_missing_agent": false}}')
    expect(book.current().denyOnMissing).toBe(false)
  })

  it('accepts rules without agents: no agent may then do anything', () => {
    expect(may(change(granting('api'), '{"agents": {}}'), 'api')).toBe(false)
    expect(events).toMatchObject([{ kind: 'loaded' }])
  })

  it('of an identical file changes nothing', () => {
    write(userFile(), granting('api'))
    const book = open()
    const before = book.current()
    write(userFile(), granting('api'))
    book.refresh()
    expect(book.current()).toBe(before)
    expect(events).toEqual([])
  })

  it('keeps the rules of a deleted file instead of falling back to wider ones', () => {
    write(userFile(), JSON.stringify({ agents: { main: { deny: { servers: ['*'] } } } }))
    const book = open()
    rmSync(userFile())
    book.refresh()
    expect(may(book, 'contextd', 'main')).toBe(false)
    expect(events).toMatchObject([{ kind: 'kept', problem: 'the file was deleted' }])
  })

  it('does not switch to the file of the other name, unless that has priority', () => {
    write(otherUserFile(), granting('*'))
    write(userFile(), granting('db'))
    const book = open()
    rmSync(userFile())
    book.refresh()
    expect(may(book, 'api')).toBe(false)
    expect(events).toMatchObject([{ kind: 'kept', file: userFile(), problem: 'the file was deleted' }])

    const other = open()
    expect(may(other, 'api')).toBe(true)
    write(userFile(), granting('db'))
    other.refresh()
    expect(may(other, 'api')).toBe(false)
  })

  it('detects a new file', () => {
    const book = open()
    write(userFile(), granting('db'))
    book.refresh()
    expect(may(book, 'db')).toBe(true)
  })

  it('keeps the rules if trust cannot be checked', () => {
    let broken = false
    writeTrusted(projectFile(), granting('db'))
    const book = open({
      isTrusted: () => {
        if (broken) throw new Error('store is gone')
        return true
      },
    })
    broken = true
    write(projectFile(), granting('*'))
    book.refresh()
    expect(may(book, 'api')).toBe(false)
    expect(events).toMatchObject([{ kind: 'kept', problem: 'cannot be loaded: Error: store is gone' }])
  })

  it('takes effect even if it cannot be recorded', () => {
    write(userFile(), granting('api'))
    const book = open({
      onEvent: () => {
        throw new Error('disk full')
      },
    })
    write(userFile(), granting('db'))
    book.refresh()
    expect(may(book, 'api')).toBe(false)
    expect(logged).toEqual(['info rules loaded', 'error a change of the rules was not recorded'])
  })

  it('notifies listeners until they unsubscribe', () => {
    write(userFile(), granting('api'))
    const book = open()
    let told = 0
    const stop = book.onChange(() => told++)
    write(userFile(), granting('db'))
    book.refresh()
    expect(told).toBe(1)
    stop()
    write(userFile(), granting('api'))
    book.refresh()
    expect(told).toBe(1)
  })
})

describe('automatically', () => {
  const changed = (book: RuleBook) => new Promise<void>((resolve) => book.onChange(resolve))

  it('follows a file saved by renaming, a swapped link, and trust granted later', async () => {
    write(userFile(), granting('one'))
    const book = open()

    write(`${userFile()}.tmp`, granting('two'))
    let change = changed(book)
    renameSync(`${userFile()}.tmp`, userFile())
    await change
    expect(may(book, 'two')).toBe(true)

    write(fileNamed('elsewhere.json'), granting('three'))
    change = changed(book)
    rmSync(userFile())
    symlinkSync(fileNamed('elsewhere.json'), userFile())
    await change
    expect(may(book, 'three')).toBe(true)

    write(projectFile(), granting('none'))
    book.refresh()
    change = changed(book)
    trusted.add(projectFile() + granting('none'))
    await change
    expect(may(book, 'three')).toBe(false)
  })
})
