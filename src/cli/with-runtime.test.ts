import { expect, test } from 'vitest'

import { fakeIo } from '../../test/support/cli-io.ts'
import { makeTempHome } from '../../test/support/temp-home.ts'
import { withRecords } from './with-runtime.ts'

test('what is done here says so, once, where another machine is named', async () => {
  const home = makeTempHome()
  try {
    const far = fakeIo({ env: { ...home.env, CONTEXTD_ADDR: 'build.example:7392' }, cwd: home.project })
    await withRecords(far.io, () => {})
    await withRecords(far.io, () => {})
    expect(far.err()).toBe('note: this is about this machine, not about build.example:7392\n')
    const near = fakeIo({ env: home.env, cwd: home.project })
    await withRecords(near.io, () => {})
    expect(near.err()).toBe('')
  } finally {
    home.remove()
  }
})
