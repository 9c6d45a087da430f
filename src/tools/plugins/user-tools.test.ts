import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { aCall } from '../../../test/support/calls.ts'
import { roomyLimits } from '../../../test/sandbox/confined-to.ts'
import { toolProject, type ToolProject } from '../../../test/support/tool-packages.ts'
import { CodedError } from '../../core/errors/errors.ts'
import type { ToolHost } from '../../core/ports.ts'
import type { Tool } from '../../core/tool.ts'
import { openStore, type Store } from '../../platform/storage/store.ts'
import type { FileTools } from '../files/file-tools.ts'
import { createApprovalStore, type ApprovalStore } from './approval-store.ts'
import { readPackageFiles } from './package-files.ts'
import { openUserTools, type UserTools } from './user-tools.ts'

let place: ToolProject
let store: Store
let approvals: ApprovalStore
let userTools: UserTools
let folder: string
let ran: number

beforeEach(() => {
  place = toolProject()
  store = openStore(join(place.home, 'contextd.db'))
  approvals = createApprovalStore(store, { tenant: 'local', project: place.project }, () => 1000)
  ran = 0
  userTools = openUserTools({
    store,
    tenant: 'local',
    project: place.project,
    stateFolder: place.home,
    count: () => 1,
    files: {} as FileTools,
    isTaken: () => false,
    onEvent: () => {},
    executor: {
      async run() {
        ran += 1
        return { exitCode: 0, stdout: Buffer.from('done'), stderr: Buffer.alloc(0) }
      },
    },
    clock: () => 1000,
    limits: roomyLimits,
    toolchains: { folders: [], programs: [] },
    ownFolders: [],
    protect: [],
    egressFor: () => ({ fetch: () => Promise.reject(new Error('no network')) }),
  })
  folder = place.add({})
  approve()
})
afterEach(() => {
  store.close()
  place.remove()
})

/** Approves the package as it is now. */
function approve(): void {
  const { sha256 } = readPackageFiles(folder)
  approvals.put({ tool: 'probe', sha256, capabilities: [] })
}

/** What became of it, or the code of the error. */
async function outcomeOf(tool: Tool | undefined): Promise<string> {
  const call = aCall({ project: place.project })
  try {
    const result = await tool!.run({}, { call } as ToolHost)
    return result.kind === 'refusal' ? result.error.code : result.kind
  } catch (error) {
    if (error instanceof CodedError) return error.code
    throw error
  }
}

const rewrite = (): void => writeFileSync(join(folder, 'run.sh'), '#!/bin/bash\necho other\n')

describe('a tool that was found for a call', () => {
  it.each<[what: string, change: () => void, outcome: string, runs: number]>([
    ['is what it was', () => {}, 'answer', 1],
    ['was approved once more', approve, 'answer', 1],
    ['has other bytes', rewrite, 'APPROVAL_REQUIRED', 0],
    ['is not approved any more', () => approvals.remove('probe'), 'APPROVAL_REQUIRED', 0],
    ['was removed', () => rmSync(folder, { recursive: true }), 'TOOL_NOT_FOUND', 0],
    ['is broken', () => writeFileSync(join(folder, 'schema.json'), '{'), 'TOOL_PACKAGE_INVALID', 0],
    [
      // The rules were asked about the capabilities of the earlier package.
      'has other bytes, which are approved',
      () => {
        rewrite()
        approve()
      },
      'APPROVAL_REQUIRED',
      0,
    ],
  ])('and %s when it runs', async (_, change, outcome, runs) => {
    const tool = userTools.find('probe')
    change()
    expect([await outcomeOf(tool), ran]).toEqual([outcome, runs])
  })

  it('runs with other bytes once they are approved and it is found again', async () => {
    rewrite()
    expect(await outcomeOf(userTools.find('probe'))).toBe('APPROVAL_REQUIRED')
    approve()
    expect([await outcomeOf(userTools.find('probe')), ran]).toEqual(['answer', 1])
  })
})
