import { expect, test } from 'vitest'

import { sandboxHere } from '../support/sandbox-here.ts'
import { sandboxStorm } from './storm.ts'

// A sample; `npm run storm:sandbox` is the whole.
test.runIf(sandboxHere)(
  'contextd killed at any moment leaves no process, mount, file or group behind',
  async () => {
    const { busyRounds, ...left } = await sandboxStorm({ rounds: 15, seed: 20_260_202 })
    expect(left).toEqual({ leftProcesses: 0, newMounts: 0, leftFiles: [], leftGroups: [] })
    // Else nothing was proven.
    expect(busyRounds).toBeGreaterThan(5)
  },
)
