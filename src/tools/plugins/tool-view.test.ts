import { expect, test } from 'vitest'

import type { Folder } from '../../sandbox/sandbox.ts'
import type { CommandView } from '../shell/confinement.ts'
import { coversFolders, narrowView } from './tool-view.ts'

const read = (path: string): Folder => ({ path, access: 'read' })
const write = (path: string): Folder => ({ path, access: 'write' })
const view = (folders: Folder[], hidden: string[] = [], guarded: string[] = []): CommandView => ({
  folders,
  hidden,
  guarded,
})

test.each<[string, Folder[], Folder[], Folder[]]>([
  ['a folder of the tool within one of the agent', [read('/w/src')], [write('/w')], [read('/w/src')]],
  ['a folder of the agent within one of the tool', [write('/w')], [read('/w/src')], [read('/w/src')]],
  ['the lesser access', [write('/w')], [read('/w')], [read('/w')]],
  ['both, where both write', [write('/w/out')], [write('/w')], [write('/w/out')]],
  [
    'the agent’s own exception to reading',
    [write('/w')],
    [read('/w'), write('/w/out')],
    [read('/w'), write('/w/out')],
  ],
  ['the tool’s', [read('/w'), write('/w/out')], [write('/w')], [read('/w'), write('/w/out')]],
  ['nothing in common', [read('/w/a')], [write('/w/b')], []],
  ['no mistake of names', [read('/work')], [write('/w')], []],
])('keeps %s', (_, tool, agent, both) => {
  expect(narrowView(view(tool), view(agent)).folders).toEqual(both)
})

test('keeps hidden what either hides, and guarded what either guards, where it is seen at all', () => {
  const tool = view([write('/w')], ['/w/a', '/elsewhere'], ['/w/.git/hooks'])
  const agent = view([write('/w')], ['/w/b', '/w/a'], ['/w/.claude', '/other/x'])
  expect(narrowView(tool, agent)).toEqual({
    folders: [write('/w')],
    hidden: ['/w/a', '/w/b'],
    guarded: ['/w/.git/hooks', '/w/.claude'],
  })
})

test('knows whether the agent has all of it', () => {
  expect(coversFolders([write('/w')], [read('/w/a'), write('/w/b')])).toBe(true)
  expect(coversFolders([read('/w')], [read('/w/a')])).toBe(true)
  expect(coversFolders([read('/w')], [write('/w/a')])).toBe(false)
  expect(coversFolders([write('/w'), read('/w/b')], [write('/w/b/c')])).toBe(false)
  expect(coversFolders([write('/w/a')], [read('/w')])).toBe(false)
})
