import { afterEach, beforeEach, expect, test } from 'vitest'

import { makeClaudeFolders, type ClaudeFolders } from '../../../../test/claude-folders.ts'
import { linkedPathRules } from './linked-paths.ts'

let folders: ClaudeFolders

beforeEach(() => {
  folders = makeClaudeFolders()
  folders.write({ 'project/real/key.pem': '', 'project/plain.txt': '', 'vault/x.txt': '' })
  folders.link({
    'project/link': 'real',
    'project/key': 'real/key.pem',
    'project/vault': '../vault',
    'project/lost': 'nowhere',
  })
})
afterEach(() => folders.remove())

function fixes(file: string, deny: readonly string[]): string[] {
  folders.write({ [file]: { permissions: { deny } } })
  return Array.from(linkedPathRules[0]!.check(folders.read()), ({ fix }) => fix)
}

test.each<[string[], string]>([
  [['Read(./link/**)'], 'Read(/link/**)'],
  [['Read(link)'], 'Read(/link)'],
  [['Edit(link/*.pem)'], 'Edit(/link/*.pem)'],
  [['Read(link/key.pem)'], 'Read(/link/key.pem)'],
  [['Read(./key)'], 'Read(/key)'],
  [['Read(vault/**)', 'Edit(/vault/**)'], 'Read(/vault/**)'],
])('%j does not deny the target of the link', (deny, meant) => {
  const found = fixes('project/.claude/settings.json', deny)
  expect(found).toEqual([`Write \`${meant}\` too, which also matches the target.`])
  expect(fixes('project/.claude/settings.json', [...deny, meant])).toEqual([])
})

test.each<[string[]]>([
  [['Read(/link/**)']],
  [['Read(./real/**)']],
  [['Read(link/**)', 'Read(real/**)']],
  [['Read(link/**)', 'Read']],
  [['Read(plain.txt)', 'Read(none.txt)', 'Read(lost)', 'Read(**/link)']],
])('%j is not reported', (deny) => {
  expect(fixes('project/.claude/settings.json', deny)).toEqual([])
})

test('in user settings the repair contains the absolute path of the target', () => {
  const [fix] = fixes('home/.claude/settings.json', ['Read(./link/**)'])
  expect(fix).toBe(`Write \`Read(/${folders.places.project}/real/**)\` too, which also matches the target.`)
})
