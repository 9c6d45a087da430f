import { describe, expect, it } from 'vitest'

import { parseCapability, type Capability } from '../../core/capability.ts'
import { intersectCapabilities, lostCapabilities, subtractCapabilities } from './capability-grants.ts'

function read(...texts: string[]): Capability[] {
  return texts.map((text) => parseCapability(text) ?? expect.fail(text))
}

describe('subtractCapabilities', () => {
  it.each([
    [['fs:read', 'shell:exec'], ['shell:exec'], [{ kind: 'fs:read' }]],
    [
      ['fs:read:a/**', 'fs:read:b/**'],
      ['fs:read:a/**'],
      [{ kind: 'fs:read', scope: 'b/**', except: ['a/**'] }],
    ],
    [['fs:read:a/**'], ['fs:read'], []],
    [['fs:read:a/b/**'], ['fs:read:a/**'], []],
    [['fs:write:**'], ['fs:write:.git/**'], [{ kind: 'fs:write', scope: '**', except: ['.git/**'] }]],
    [['shell:exec'], ['shell:exec:rm *'], [{ kind: 'shell:exec', except: ['rm *'] }]],
    [['fs:read'], ['fs:write'], [{ kind: 'fs:read' }]],
    [['net:connect:127.0.0.1:5432'], ['net:connect:127.0.0.1:5432'], []],
    [['shell:cache'], ['shell:cache:go'], [{ kind: 'shell:cache', except: ['go'] }]],
    [['shell:cache:go', 'shell:cache:npm'], ['shell:cache'], []],
  ])('%j without %j', (allowed, denied, left) => {
    expect(subtractCapabilities(read(...allowed), read(...denied))).toEqual(left)
  })
})

describe('intersectCapabilities', () => {
  it.each([
    [['fs:read'], ['fs:read:a/**'], [{ kind: 'fs:read', scope: 'a/**' }]],
    [['fs:read:**'], ['fs:read:a/**'], [{ kind: 'fs:read', scope: 'a/**' }]],
    [['fs:read:a/b/*'], ['fs:read:a/**'], [{ kind: 'fs:read', scope: 'a/b/*' }]],
    [['fs:read:a/**'], ['fs:read:b/**'], []],
    [['fs:read:**'], ['fs:read:/etc/**'], []],
    [['fs:read:**'], ['fs:read:~/x'], []],
    [['fs:read:a/**'], ['fs:read:a/../b'], []],
    [['fs:read'], ['fs:write'], []],
    [
      ['net:connect:127.0.0.1:5432', 'net:connect:[::1]:1024'],
      ['net:connect:127.0.0.1:5432', 'net:connect:127.0.0.1:1024'],
      [{ kind: 'net:connect', scope: '127.0.0.1:5432' }],
    ],
    [['shell:cache'], ['shell:cache:npm'], [{ kind: 'shell:cache', scope: 'npm' }]],
    [['shell:cache:npm'], ['shell:cache:pip'], []],
    [['shell:cache'], ['shell:exec'], []],
    [['http:fetch:*'], ['http:fetch:a.org'], [{ kind: 'http:fetch', scope: 'a.org' }]],
    [['http:fetch:*.a.org'], ['http:fetch:b.a.org:443'], [{ kind: 'http:fetch', scope: 'b.a.org:443' }]],
    [['http:fetch:a.org'], ['http:fetch:GET@a.org'], [{ kind: 'http:fetch', scope: 'GET@a.org' }]],
    [['http:fetch:*.a.org'], ['http:fetch:a.org'], []],
    [['http:fetch:a.org'], ['http:fetch:a.org:8443'], []],
    [['http:fetch:GET@a.org'], ['http:fetch:POST@a.org'], []],
    [['http:fetch:*'], ['http:fetch:10.0.0.0/8'], []],
    [['http:fetch:*'], ['http:fetch:127.0.0.1:80'], []],
    [['http:fetch'], ['http:fetch:127.0.0.1:5432'], []],
    [['http:fetch'], ['http:fetch:a.org:22'], []],
    [['http:fetch'], ['http:fetch:a.org'], [{ kind: 'http:fetch', scope: 'a.org' }]],
    [['http:fetch'], ['http:fetch'], [{ kind: 'http:fetch' }]],
    [['http:fetch:*'], ['http:fetch:localhost'], []],
    [['http:fetch:*'], ['http:fetch:0x7f000001'], []],
    [['http:fetch:localhost'], ['http:fetch:localhost'], [{ kind: 'http:fetch', scope: 'localhost' }]],
    [['http:fetch:a.org'], ['http:fetch:a.org'], [{ kind: 'http:fetch', scope: 'a.org' }]],
  ])('%j and %j', (left, right, both) => {
    expect(intersectCapabilities(read(...left), read(...right))).toEqual(both)
    expect(intersectCapabilities(read(...right), read(...left))).toEqual(both)
  })

  it('keeps the exceptions of both', () => {
    const left: Capability[] = [{ kind: 'fs:write', except: ['.git/**'] }]
    const right: Capability[] = [{ kind: 'fs:write', scope: '**', except: ['.env', '.git/**'] }]
    expect(intersectCapabilities(left, right)).toEqual([
      { kind: 'fs:write', scope: '**', except: ['.git/**', '.env'] },
    ])
  })
})

describe('lostCapabilities', () => {
  it.each([
    [['shell:exec', 'fs:read:**'], ['shell:exec', 'fs:read:**', 'fs:write'], []],
    [['http:fetch:a.org'], ['http:fetch'], []],
    [['http:fetch'], ['http:fetch:a.org'], [{ kind: 'http:fetch' }]],
    [['fs:write:a/**', 'shell:exec'], ['fs:write:b/**', 'shell:exec'], [{ kind: 'fs:write', scope: 'a/**' }]],
    [['shell:cache:npm'], [], [{ kind: 'shell:cache', scope: 'npm' }]],
  ])('of %j, with %j now', (before, now, lost) => {
    expect(lostCapabilities(read(...before), read(...now))).toEqual(lost)
  })

  it('are also those with a new exception', () => {
    const [plain] = read('fs:write:**')
    const [narrower] = subtractCapabilities(read('fs:write:**'), read('fs:write:.git/**'))
    expect(lostCapabilities([plain!], [narrower!])).toEqual([plain])
    expect(lostCapabilities([narrower!], [plain!])).toEqual([])
    expect(lostCapabilities([narrower!], [narrower!])).toEqual([])
  })
})
