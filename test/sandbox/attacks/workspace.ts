import {
  existsSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

import { type Attack, bare, otherCall, reveals, succeeds } from '../attack.ts'
import { type Layout, secret } from '../layout.ts'

const topic = 'workspace'

const changed =
  (name: string) =>
  ({ workspace }: Layout): boolean => {
    const path = join(workspace, name)
    return !existsSync(path) || readFileSync(path, 'utf8').includes('evil')
  }

const exists =
  (name: string) =>
  ({ workspace }: Layout): boolean => {
    try {
      return lstatSync(join(workspace, name), { throwIfNoEntry: false }) !== undefined
    } catch (error) {
      // Under a file there is nothing; what cannot be looked into may be there.
      return (error as NodeJS.ErrnoException).code !== 'ENOTDIR'
    }
  }

const isNoLinkTo =
  (name: string, target: string) =>
  ({ workspace }: Layout): boolean => {
    const path = join(workspace, name)
    return !lstatSync(path).isSymbolicLink() || readlinkSync(path) !== target
  }

const withoutGit = ({ workspace }: Layout): void => rmSync(join(workspace, '.git'), { recursive: true })

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

/** Something that is protected and there: the commands must not change what stands under its name. */
const onExisting = (name: string, commands: string, after: Attack['after']): Attack => ({
  topic,
  name,
  script: `(\n${commands}\n) >/dev/null 2>&1; echo CONTAINED`,
  ...(after !== undefined && { after }),
  alone: {},
  twin: bare,
})

/** Swaps two names in one step, as no command does. */
const exchange = (one: string, other: string): string =>
  `perl -e 'my ($one, $other) = @ARGV; syscall(${otherCall(316, 276)}, -100, $one, -100, $other, 2)' ${one} ${other}`

export const workspaceAttacks: readonly Attack[] = [
  onExisting('put a hook into git', 'echo evil > .git/hooks/pre-commit', exists('.git/hooks/pre-commit')),
  onExisting(
    'make a hook of an example',
    'mv .git/hooks/pre-commit.sample .git/hooks/pre-commit',
    exists('.git/hooks/pre-commit'),
  ),
  onExisting(
    'move git’s folder aside and make another',
    'mv .git aside; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit',
    exists('.git/hooks/pre-commit'),
  ),
  onExisting(
    'move the folder of hooks aside and make another',
    'mv .git/hooks .git/aside; mkdir .git/hooks; echo evil > .git/hooks/pre-commit',
    exists('.git/hooks/pre-commit'),
  ),
  onExisting('append to git’s configuration', 'echo evil >> .git/config', changed('.git/config')),
  onExisting(
    'replace git’s configuration the way git does',
    'echo evil > .git/config.lock; mv .git/config.lock .git/config',
    changed('.git/config'),
  ),
  onExisting('overwrite the list of MCP servers', 'echo evil > .mcp.json', changed('.mcp.json')),
  onExisting(
    'remove the list of MCP servers and write another',
    'rm -f .mcp.json; echo evil > .mcp.json',
    changed('.mcp.json'),
  ),
  onExisting(
    'swap the list of MCP servers for another in one step',
    `echo evil > other.json; ${exchange('other.json', '.mcp.json')}`,
    changed('.mcp.json'),
  ),
  onExisting(
    'write the list of MCP servers through another name for it',
    'ln .mcp.json other-name; echo evil > other-name',
    changed('.mcp.json'),
  ),
  onExisting(
    'write the list of MCP servers through a descriptor opened for reading',
    'exec 9< .mcp.json; echo evil > /proc/self/fd/9',
    changed('.mcp.json'),
  ),
  onExisting(
    'take the permissions of a protected file away',
    'chmod 000 .mcp.json',
    ({ workspace }) => (lstatSync(join(workspace, '.mcp.json')).mode & 0o777) === 0,
  ),
  onExisting(
    'change the settings of the client',
    'echo evil > .claude/settings.json',
    changed('.claude/settings.json'),
  ),
  onExisting(
    'add commands to the client',
    'mkdir .claude/commands; echo evil > .claude/commands/x.md',
    exists('.claude/commands'),
  ),
  onExisting(
    'move the client’s folder aside and make another',
    'mv .claude aside; mkdir .claude; echo evil > .claude/settings.json',
    changed('.claude/settings.json'),
  ),
  onExisting(
    'close the folder that protected ones lie in',
    'chmod 000 .git',
    ({ workspace }) => (lstatSync(join(workspace, '.git')).mode & 0o700) !== 0o700,
  ),
  onExisting('append to a start-up file of the shell', 'echo evil >> .bashrc', changed('.bashrc')),
  onExisting(
    'remove a protected folder',
    'rm -rf .git/hooks',
    ({ workspace }) => !existsSync(join(workspace, '.git/hooks/pre-commit.sample')),
  ),

  onExisting(
    'make a protected folder that is not there',
    'mkdir .vscode; echo evil > .vscode/tasks.json',
    exists('.vscode'),
  ),
  onExisting('make a protected file that is not there', 'echo evil > .profile', exists('.profile')),
  onExisting(
    'make contextd’s own folder',
    'mkdir -p .contextd/tools/evil; echo evil > .contextd/config.toml',
    exists('.contextd'),
  ),
  onExisting('link a protected name elsewhere', 'mkdir evil; ln -s evil .vscode', exists('.vscode')),
  onExisting(
    'rename something to a protected name',
    'mkdir evil; echo evil > evil/tasks.json; mv evil .vscode',
    exists('.vscode'),
  ),
  onExisting(
    'make a protected folder and close the workspace',
    'mkdir .vscode; echo evil > .vscode/tasks.json; chmod 555 .',
    exists('.vscode'),
  ),
  onExisting(
    'make a protected folder that nobody may look into',
    'mkdir -p .vscode/deep; echo evil > .vscode/tasks.json; chmod 000 .vscode/deep; chmod 000 .vscode',
    exists('.vscode'),
  ),
  onExisting(
    'make a protected folder again and again, to the very end',
    'for worker in 1 2; do while :; do mkdir -p .vscode; echo evil > .vscode/tasks.json; done & done; sleep 0.5; [ -z "$TWIN" ] || kill $(jobs -p)',
    exists('.vscode'),
  ),
  {
    ...onExisting(
      'make git’s folder with hooks where there was none',
      'mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit',
      exists('.git/hooks'),
    ),
    before: withoutGit,
  },
  {
    ...onExisting(
      'make git’s folder with hooks, and close it',
      'mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit; chmod 555 .git',
      exists('.git/hooks'),
    ),
    before: withoutGit,
  },
  {
    ...onExisting(
      'name another folder as git’s',
      'mkdir -p evil/hooks; echo evil > evil/hooks/pre-commit; echo "gitdir: evil" > .git',
      exists('.git'),
    ),
    before: withoutGit,
  },
  {
    ...onExisting(
      'link another folder as git’s',
      'mkdir -p evil/hooks; echo evil > evil/hooks/pre-commit; ln -s evil .git',
      exists('.git'),
    ),
    before: withoutGit,
  },

  {
    ...onExisting(
      'make git’s folder with hooks, and let nobody look into it',
      'mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit; chmod 000 .git; sleep 0.3',
      exists('.git/hooks'),
    ),
    before: withoutGit,
  },
  {
    ...onExisting(
      'replace the file that says where git’s folder is',
      'mkdir -p evil/hooks; rm -f .git; echo "gitdir: evil" > .git',
      changed('.git'),
    ),
    before: withGitFile,
  },
  {
    ...onExisting(
      'replace the link to git’s folder',
      'rm -f .git; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit',
      exists('.git/hooks/pre-commit'),
    ),
    before: withLinkedGit,
  },
  {
    ...onExisting(
      'put a hook into git by the way of the folder that is linked',
      'echo evil > git-elsewhere/hooks/pre-commit; mv git-elsewhere aside; mkdir -p git-elsewhere/hooks; echo evil > git-elsewhere/hooks/pre-commit',
      exists('.git/hooks/pre-commit'),
    ),
    before: withLinkedGit,
  },
  onExisting(
    'write through a protected link',
    'echo evil > .zshrc || echo evil > zshrc-elsewhere',
    changed('.zshrc'),
  ),
  onExisting(
    'write into a folder that a protected link leads to',
    'echo evil > .cursor/settings.json || echo evil > settings-elsewhere/settings.json',
    changed('.cursor/settings.json'),
  ),
  onExisting(
    'move away what a protected link leads to',
    'mv settings-elsewhere aside; mkdir settings-elsewhere; echo evil > settings-elsewhere/settings.json',
    changed('.cursor/settings.json'),
  ),
  onExisting(
    'lead a protected link elsewhere',
    'mkdir evil; echo evil > evil/settings.json; ln -sfn evil .cursor',
    isNoLinkTo('.cursor', 'settings-elsewhere'),
  ),
  onExisting(
    'lead a protected link elsewhere, again and again',
    'mkdir evil; for worker in 1 2; do for turn in {1..200}; do ln -sfn evil .cursor; done & done; wait',
    isNoLinkTo('.cursor', 'settings-elsewhere'),
  ),
  onExisting(
    'put a file in place of a protected link',
    'rm -f .zshrc; echo evil > .zshrc',
    isNoLinkTo('.zshrc', 'zshrc-elsewhere'),
  ),

  {
    topic,
    name: 'read a file in a hidden folder',
    script: reveals('cat private/state/contextd.db'),
    twin: bare,
  },
  {
    topic,
    name: 'read a hidden file',
    script: reveals('cat private/key'),
    twin: bare,
  },
  {
    topic,
    name: 'find hidden files by searching everything',
    script: reveals(
      'timeout 10 grep -rsa secret-of-the-outside . --exclude-dir=planted --exclude-dir=.attacks',
    ),
    twin: bare,
  },
  {
    topic,
    name: 'write into a hidden folder',
    script: succeeds('echo evil > private/state/contextd.db || echo evil > private/state/more'),
    after: changed('private/state/contextd.db'),
    alone: {},
    twin: bare,
  },
  onExisting('move a hidden folder', 'mv private/state private/aside', changed('private/state/contextd.db')),
  onExisting(
    'move the folder above a hidden one',
    'mv private aside; mkdir -p private/state',
    changed('private/state/contextd.db'),
  ),
  {
    topic,
    name: 'read a hidden file after moving the folder above it',
    script: reveals('mv private aside; cat aside/key private/key aside/state/contextd.db'),
    alone: {},
    twin: bare,
  },
  onExisting('remove a hidden file', 'rm -f private/key; rm -rf private', ({ workspace }) => {
    const key = join(workspace, 'private/key')
    return !existsSync(key) || !readFileSync(key, 'utf8').includes(secret)
  }),
  {
    topic,
    name: 'swap a hidden file for one in view',
    script: reveals(`${exchange('private/key', 'notes.txt')}; cat notes.txt`),
    alone: {},
    twin: bare,
  },
]
