import { join } from 'node:path'

import { expect, it } from 'vitest'

import { openCodeFolder, placesIn, secretsIn } from '../../../test/opencode-setup.ts'
import { readOpenCodeSetup } from '../read-setup.ts'
import { requestsOf, splitOpenCodeCall } from './requests.ts'

function requests(asked: string, folder = 'project'): string[] {
  const root = openCodeFolder({ 'project/sub/a.txt': '', 'outside/b.txt': '' })
  const setup = readOpenCodeSetup({ ...placesIn(root), project: join(root, folder) }, { secretsIn })
  const call = splitOpenCodeCall(asked.replaceAll('$ROOT', root))
  return requestsOf(call, setup).map(({ tool, patterns }) =>
    `${tool} ${patterns?.join(' + ') ?? '-'}`.replaceAll(root, '$ROOT'),
  )
}

it.each([
  ['bash', ['bash -']],
  ['bash(*)', ['bash -']],
  ['bash(git status && ls -la)', ['bash git status + ls -la']],
  ['bash(cd sub && ls > out)', ['bash ls > out']],
  ['bash(A=1)', []],
  ['bash(A=1 make)', ['bash A=1 make']],
  ['bash(cat $ROOT/outside/b.txt)', ['external_directory $ROOT/outside/*', 'bash cat $ROOT/outside/b.txt']],
  ['bash(cd $ROOT/outside)', ['external_directory $ROOT/outside/*']],
  ['bash(rm -r ~/x/*.txt)', ['external_directory $ROOT/home/*', 'bash rm -r ~/x/*.txt']],
  ['bash(ls $ROOT/outside)', ['bash ls $ROOT/outside']],
  ['read(./sub/a.txt)', ['read sub/a.txt']],
  ['write(sub/a.txt)', ['edit sub/a.txt']],
  ['read($ROOT/outside/b.txt)', ['external_directory $ROOT/outside/*', 'read ../outside/b.txt']],
  ['read($ROOT/outside)', ['external_directory $ROOT/outside/*', 'read ../outside']],
  ['edit(~/d.txt)', ['external_directory $ROOT/home/*', 'edit ../home/d.txt']],
  ['external_directory($ROOT/outside)', ['external_directory $ROOT/outside/*']],
  ['external_directory(/x/*)', ['external_directory /x/*']],
  ['webfetch(https://example.com)', ['webfetch https://example.com']],
  ['db_query(select 1)', ['db_query *']],
])('%s', (asked, expected) => {
  expect(requests(asked)).toEqual(expected)
})

it('makes paths relative to the repository root', () => {
  expect(requests('read(a.txt)', 'project/sub')).toEqual(['read sub/a.txt'])
  expect(requests('read(../c.txt)', 'project/sub')).toEqual(['read c.txt'])
})
