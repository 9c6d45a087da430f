import { expect, test } from 'vitest'

import { isHarmless } from './harmless-settings.ts'

const realPathOf = (path: string): string => path.replace('/w/link', '/home/me')
const place = { gitDir: '/w/sub/.git', roots: ['/w'], realPathOf }
const judge = (key: string, value = 'x'): boolean => isHarmless({ key, value }, place)

test.each([
  ['core.repositoryformatversion', '0'],
  ['core.bare', 'false'],
  ['core.fsmonitor', 'false'],
  ['core.worktree', '../../elsewhere'],
  ['user.name', '!sh'],
  ['remote.origin.url', 'git@example.com:a/b.git'],
  ['remote.origin.url', 'https://example.com/a::b.git'],
  ['remote.origin.url', '../other'],
  ['remote.a.b.fetch', '+refs/heads/*:refs/remotes/a.b/*'],
  ['branch.feature/x.merge', 'refs/heads/feature/x'],
  ['submodule.libs/one.update', 'rebase'],
  ['color.ui', 'always'],
])('%s = %s runs nothing', (key, value) => expect(judge(key, value)).toBe(true))

test.each<[key: string, value?: string]>([
  ['core.fsmonitor', 'true'],
  ['core.fsmonitor', 'tools/x'],
  ['core.hookspath'],
  ['core.pager'],
  ['core.editor'],
  ['core.sshcommand'],
  ['core.gitproxy'],
  ['core.askpass'],
  ['core.worktree', '/home/me'],
  ['core.worktree', '../../link'],
  ['include.path'],
  ['includeif.gitdir:/.path'],
  ['filter.x.clean'],
  ['diff.external'],
  ['diff.x.textconv'],
  ['diff.x.command'],
  ['merge.x.driver'],
  ['alias.st', '!x'],
  ['credential.helper'],
  ['credential.https://example.com.helper'],
  ['gpg.program'],
  ['gpg.ssh.defaultkeycommand'],
  ['sequence.editor'],
  ['remote.origin.uploadpack'],
  ['remote.origin.url', 'ext::sh -c x'],
  ['remote.origin.url', '--upload-pack=x'],
  ['remote.origin.url', 'ext://sh'],
  ['remote.origin.vcs'],
  ['branch.main.remote', 'ext::x'],
  ['branch.main.mergeoptions'],
  ['submodule.x.update', '!x'],
  ['gc.recentobjectshook'],
  ['uploadpack.packobjectshook'],
  ['hook.later.command'],
  ['something.new'],
  ['core.x.bare'],
  ['constructor'],
])('%s = %s is not on the list', (key, value) => expect(judge(key, value)).toBe(false))
