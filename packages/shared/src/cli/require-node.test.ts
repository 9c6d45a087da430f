import { afterEach, expect, test, vi } from 'vitest'

import { requireNode } from './require-node.ts'

afterEach(() => vi.restoreAllMocks())

function resultOn(version: string): string {
  let printed = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((printed += String(text))))
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`)
  })
  try {
    requireNode('contextd-scrub', version)
    return 'ok'
  } catch (error) {
    return `${(error as Error).message}: ${printed}`
  }
}

test.each(['20.19.0', '20.20.2', '22.0.0', '26.1.0'])('%s is new enough', (version) => {
  expect(resultOn(version)).toBe('ok')
})

test.each(['20.18.3', '18.20.0', '9.0.0'])('%s is too old', (version) => {
  expect(resultOn(version)).toBe(`exit 78: contextd-scrub needs Node 20.19 or newer; this is ${version}.\n`)
})
