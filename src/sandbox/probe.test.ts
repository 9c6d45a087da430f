import { expect, test } from 'vitest'

import { tryToEscape } from './probe.ts'
import type { Ended } from './sandbox.ts'

function probeThat(ended: Partial<Ended> & { printed: string }): ReturnType<typeof tryToEscape> {
  const { printed, ...rest } = ended
  const streams = { stdout: Buffer.from(printed), stderr: Buffer.from('bash: no more processes\n') }
  return tryToEscape(async () => ({ exitCode: 0, ...streams, ...rest }) as Ended)
}

test('a sandbox without escapes passes', async () => {
  expect(await probeThat({ printed: 'done\n' })).toBeUndefined()
})

test('each escape is reported once, even if the probe did not finish', async () => {
  const cause = 'the sandbox is not secure: no seccomp filter, capabilities'
  const printed = 'no seccomp filter\ncapabilities\ncapabilities\n'
  expect(await probeThat({ printed: `${printed}done\n` })).toMatchObject({ cause })
  expect(await probeThat({ printed, exitCode: 137, limit: 'time' })).toMatchObject({ cause })
})

test('an unfinished probe proves nothing', async () => {
  const cause = 'a confined command did not run to its end:'
  expect(await probeThat({ printed: '', exitCode: 137, limit: 'time' })).toMatchObject({
    cause: `${cause} it ran into its limit of time`,
  })
  expect(await probeThat({ printed: 'done\n', exitCode: 1 })).toMatchObject({
    cause: `${cause} bash: no more processes`,
  })
  expect(await probeThat({ printed: '' })).toMatchObject({ cause: `${cause} bash: no more processes` })
})
