/** Protected names that are links, and folders of git that lie elsewhere. */

import { lstatSync, readlinkSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Attack } from '../attack.ts'
import type { Layout } from '../layout.ts'
import { changed, exists, tampering, withoutGit } from './workspace-attack.ts'

const isNoLinkTo =
  (name: string, target: string) =>
  ({ workspace }: Layout): boolean => {
    const path = join(workspace, name)
    return !lstatSync(path).isSymbolicLink() || readlinkSync(path) !== target
  }

/** As some tools leave it. */
const withLinkedGit = ({ workspace }: Layout): void => {
  renameSync(join(workspace, '.git'), join(workspace, 'git-elsewhere'))
  symlinkSync('git-elsewhere', join(workspace, '.git'))
}

/** As in a worktree or a submodule. */
const withGitFile = (layout: Layout): void => {
  withoutGit(layout)
  writeFileSync(join(layout.workspace, '.git'), 'gitdir: ../outside\n')
}

export const linkAttacks: readonly Attack[] = [
  {
    ...tampering(
      'replace the file that says where git’s folder is',
      'mkdir -p evil/hooks; rm -f .git; echo "gitdir: evil" > .git',
      changed('.git'),
    ),
    before: withGitFile,
  },
  {
    ...tampering(
      'replace the link to git’s folder',
      'rm -f .git; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit',
      exists('.git/hooks/pre-commit'),
    ),
    before: withLinkedGit,
  },
  {
    ...tampering(
      'put a hook into git by the way of the folder that is linked',
      'echo evil > git-elsewhere/hooks/pre-commit; mv git-elsewhere aside; mkdir -p git-elsewhere/hooks; echo evil > git-elsewhere/hooks/pre-commit',
      exists('.git/hooks/pre-commit'),
    ),
    before: withLinkedGit,
  },
  tampering(
    'write through a protected link',
    'echo evil > .zshrc || echo evil > zshrc-elsewhere',
    changed('.zshrc'),
  ),
  tampering(
    'write into a folder that a protected link leads to',
    'echo evil > .cursor/settings.json || echo evil > settings-elsewhere/settings.json',
    changed('.cursor/settings.json'),
  ),
  tampering(
    'move away what a protected link leads to',
    'mv settings-elsewhere aside; mkdir settings-elsewhere; echo evil > settings-elsewhere/settings.json',
    changed('.cursor/settings.json'),
  ),
  tampering(
    'lead a protected link elsewhere',
    'mkdir evil; echo evil > evil/settings.json; ln -sfn evil .cursor',
    isNoLinkTo('.cursor', 'settings-elsewhere'),
  ),
  tampering(
    'lead a protected link elsewhere, again and again',
    'mkdir evil; for worker in 1 2; do for turn in {1..200}; do ln -sfn evil .cursor; done & done; wait',
    isNoLinkTo('.cursor', 'settings-elsewhere'),
  ),
  tampering(
    'put a file in place of a protected link',
    'rm -f .zshrc; echo evil > .zshrc',
    isNoLinkTo('.zshrc', 'zshrc-elsewhere'),
  ),
]
