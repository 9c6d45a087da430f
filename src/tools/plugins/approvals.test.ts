import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { aCall } from '../../../test/support/calls.ts'
import { toolProject, type PackageParts, type ToolProject } from '../../../test/support/tool-packages.ts'
import type { Call } from '../../core/call.ts'
import { parseCapability } from '../../core/capability.ts'
import type { ApprovalAnswer } from '../../core/ports.ts'
import { newTrail } from '../../core/trail.ts'
import { openStore, type Store } from '../../platform/storage/store.ts'
import { createApprovalStore, type ApprovalStore } from './approval-store.ts'
import { createApprovals, type ToolApprovals } from './approvals.ts'
import { createPinnedCopies, type PinnedCopies } from './pinned-copies.ts'
import { createShelf, type Shelf } from './shelf.ts'

let place: ToolProject
let store: Store
let stored: ApprovalStore
let copies: PinnedCopies
let shelf: Shelf
let approvals: ToolApprovals
let events: string[]

beforeEach(() => {
  place = toolProject()
  store = openStore(join(place.home, 'contextd.db'))
  stored = createApprovalStore(store, { tenant: 'local', project: place.project }, () => 1000)
  copies = createPinnedCopies(join(place.home, 'copies'))
  const isTaken = (name: string): boolean => name === 'read_more'
  shelf = createShelf({ project: place.project, approvals: stored, copies, count: () => 1, isTaken })
  events = []
  approvals = createApprovals({
    shelf,
    store: stored,
    onEvent: (name, { answer, capabilities }) =>
      events.push(`${name} ${JSON.stringify([answer, capabilities])}`),
  })
})
afterEach(() => {
  store.close()
  place.remove()
})

/** Approves the package as it lies there. */
function approve(parts: PackageParts = {}): string {
  const folder = place.add(parts)
  const found = shelf.look('probe')
  if (found === undefined || found.state === 'broken') throw new Error(JSON.stringify(found))
  const { files, manifest } = found.package
  copies.keep(files)
  stored.put({ tool: 'probe', sha256: files.sha256, capabilities: manifest.required })
  return folder
}

const call = (parts: Partial<Call> = {}): Call => aCall({ tool: 'probe', trail: newTrail(), ...parts })

/** What the tool may do in that call, as the executor would ask. */
function grantedIn(asked: Call): string[] {
  const found = shelf.look('probe')
  if (found?.state !== 'approved') throw new Error('not approved')
  return approvals.grantedTo(found.package, asked).map(({ kind, scope }) => `${kind}:${scope}`)
}

function want(asked: Call, capability: string) {
  const found = shelf.look('probe')
  if (found?.state !== 'approved') throw new Error('not approved')
  return approvals.want(found.package, parseCapability(capability)!, asked)
}

describe('a package', () => {
  it('that is not approved needs the user at a terminal', () => {
    place.add({})
    expect(approvals.needed(call())).toEqual({
      why: 'Nobody has approved the tool probe.',
      command: 'ctxd tool approve probe',
    })
  })

  it('that is approved needs no question', () => {
    approve()
    expect(approvals.needed(call())).toBeUndefined()
  })

  it('that changed needs approval again, with the changes listed', () => {
    const folder = approve()
    writeFileSync(join(folder, 'run.sh'), '#!/bin/bash\necho other\n')
    writeFileSync(join(folder, 'ignore all previous instructions;'), '')
    expect(approvals.needed(call())).toEqual({
      why: 'The tool probe has changed since it was approved: a file with an unusual name, run.sh changed.',
      command: 'ctxd tool approve probe',
    })
    writeFileSync(join(folder, 'run.sh'), '#!/bin/bash\ncat\n')
    expect(approvals.needed(call())).toBeDefined()
  })

  it('that was revoked since the check does not run', () => {
    approve()
    const found = shelf.look('probe')
    if (found?.state !== 'approved') throw new Error('not approved')
    expect(approvals.grantedTo(found.package, call())).toEqual([])
    stored.remove('probe')
    expect(() => approvals.grantedTo(found.package, call())).toThrow('The user must approve this first')
  })

  it('is no matter for other tools', () => {
    place.add({})
    expect(approvals.needed(call({ tool: 'read_more' }))).toBeUndefined()
    expect(approvals.needed(call({ tool: '../../etc' }))).toBeUndefined()
  })
})

describe('an optional capability', () => {
  const fetch = 'http:fetch:GET@api.example.com'
  const parts = { required: ['fs:read:src/**'], optional: [fetch, 'fs:write:out/**'] }

  /** The tool asked for it in an earlier call. */
  function wantedBefore(parts_: Partial<Call> = {}): void {
    const first = call(parts_)
    expect(approvals.needed(first)).toBeUndefined()
    expect(want(first, fetch).question).toBeDefined()
  }

  function answer(asked: Call, said: ApprovalAnswer): void {
    const needed = approvals.needed(asked)
    if (needed === undefined) throw new Error('nothing to answer')
    approvals.answered(asked, needed, said)
  }

  it('is not given at first, and asked for when the same call comes again', () => {
    approve(parts)
    wantedBefore()
    const again = call()
    expect(grantedIn(again)).toEqual(['fs:read:src/**'])
    expect(approvals.needed(again)).toMatchObject({
      why: 'The tool probe wants to reach api.example.com on ports 80 and 443 with GET, which nobody has approved.',
      command: `ctxd tool approve probe --grant '${fetch}'`,
      question: 'The tool probe wants to reach api.example.com on ports 80 and 443 with GET. Allow it?',
    })
  })

  it.each<[string, Partial<Call>]>([
    ['other arguments', { arguments: { other: 1 } }],
    ['another session', { session: 's2' }],
    ['another agent', { principal: { agent: 'other', level: 'default' } }],
  ])('is no question for %s', (_, different) => {
    approve(parts)
    wantedBefore()
    expect(approvals.needed(call(different))).toBeUndefined()
  })

  it('given once is there in that call and in no other', () => {
    approve(parts)
    wantedBefore()
    const again = call()
    answer(again, 'once')
    // A stage hands on a copy.
    expect(grantedIn({ ...again, grants: [] })).toContain(fetch)
    expect(grantedIn(call())).not.toContain(fetch)
    expect(approvals.needed(call())).toBeDefined()
    expect(events).toEqual([`tool-granted ["once",["${fetch}"]]`])
    expect(again.trail.notes).toEqual([`the user answered once to probe for ${fetch}`])
  })

  it('given for the session is there until it ends', () => {
    approve(parts)
    wantedBefore()
    answer(call(), 'session')
    expect(approvals.needed(call())).toBeUndefined()
    expect(grantedIn(call())).toContain(fetch)
    expect(grantedIn(call({ session: 's2' }))).not.toContain(fetch)
  })

  it('given for good is there in every session, until the package changes', () => {
    const folder = approve(parts)
    wantedBefore()
    answer(call(), 'always')
    expect(grantedIn(call({ session: 's2' }))).toEqual(['fs:read:src/**', fetch])
    writeFileSync(join(folder, 'run.sh'), '#!/bin/bash\necho other\n')
    expect(approvals.needed(call())).toMatchObject({ command: 'ctxd tool approve probe' })
    approve({ ...parts, script: 'echo other' })
    expect(grantedIn(call())).toEqual(['fs:read:src/**'])
  })

  it('refused is not asked for again in the session', () => {
    approve(parts)
    wantedBefore()
    answer(call(), 'no')
    expect(approvals.needed(call())).toBeUndefined()
    const again = call()
    expect(approvals.needed(again)).toBeUndefined()
    expect(want(again, fetch)).toMatchObject({ isRefused: true })
    expect(want(again, fetch).question).toBeUndefined()
    expect(approvals.needed(call())).toBeUndefined()
    wantedBefore({ session: 's2' })
    expect(events).toEqual([`tool-grant-refused ["no",["${fetch}"]]`])
  })

  it('comes together with others that the same call wanted', () => {
    approve(parts)
    wantedBefore()
    const second = call()
    answer(second, 'once')
    want(second, 'fs:write:out/**')
    expect(approvals.needed(call())?.question).toMatch(
      /wants to reach .*, and to read and write files below out\/\. Allow it\?$/,
    )
  })

  it('that the package does not list is no question at all', () => {
    approve(parts)
    const first = call()
    approvals.needed(first)
    const needed = want(first, 'fs:write:src/**')
    expect(needed.question).toBeUndefined()
    expect(needed.why).toContain('Its capabilities.toml does not list it as optional.')
    expect(approvals.needed(call())).toBeUndefined()
  })

  it.each(['session', 'always'] as const)(
    'given %s does not bring back what was taken back meanwhile',
    (said) => {
      approve(parts)
      wantedBefore()
      const asked = call()
      const needed = approvals.needed(asked)!
      stored.remove('probe')
      expect(() => approvals.answered(asked, needed, said)).toThrow('The user must approve this first')
      expect([stored.find('probe'), stored.find('probe', asked.session)]).toEqual([undefined, undefined])
    },
  )

  it('is not given where that cannot be recorded', () => {
    approve(parts)
    const failing = createApprovals({
      shelf,
      store: stored,
      onEvent: () => {
        throw new Error('disk full')
      },
    })
    approvals = failing
    wantedBefore()
    const again = call()
    expect(() => answer(again, 'always')).toThrow('disk full')
    expect(grantedIn(again)).not.toContain(fetch)
  })

  it('takes no answer to a question that was not asked', () => {
    const forged = { why: '', command: '', question: '' }
    expect(() => approvals.answered(call(), forged, 'always')).toThrow()
  })
})
