import { existsSync, lstatSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import type { Attack } from '../attack.ts'
import { changed, exchange, exists, tampering, withoutGit } from './workspace-attack.ts'

export const workspaceAttacks: readonly Attack[] = [
  tampering('put a hook into git', 'echo evil > .git/hooks/pre-commit', exists('.git/hooks/pre-commit')),
  tampering(
    'make a hook of an example',
    'mv .git/hooks/pre-commit.sample .git/hooks/pre-commit',
    exists('.git/hooks/pre-commit'),
  ),
  tampering(
    'move git’s folder aside and make another',
    'mv .git aside; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit',
    exists('.git/hooks/pre-commit'),
  ),
  tampering(
    'move the folder of hooks aside and make another',
    'mv .git/hooks .git/aside; mkdir .git/hooks; echo evil > .git/hooks/pre-commit',
    exists('.git/hooks/pre-commit'),
  ),
  tampering('append to git’s configuration', 'echo evil >> .git/config', changed('.git/config')),
  tampering(
    'replace git’s configuration the way git does',
    'echo evil > .git/config.lock; mv .git/config.lock .git/config',
    changed('.git/config'),
  ),
  tampering('overwrite the list of MCP servers', 'echo evil > .mcp.json', changed('.mcp.json')),
  tampering(
    'remove the list of MCP servers and write another',
    'rm -f .mcp.json; echo evil > .mcp.json',
    changed('.mcp.json'),
  ),
  tampering(
    'swap the list of MCP servers for another in one step',
    `echo evil > other.json; ${exchange('other.json', '.mcp.json')}`,
    changed('.mcp.json'),
  ),
  tampering(
    'write the list of MCP servers through another name for it',
    'ln .mcp.json other-name; echo evil > other-name',
    changed('.mcp.json'),
  ),
  tampering(
    'write the list of MCP servers through a descriptor opened for reading',
    'exec 9< .mcp.json; echo evil > /proc/self/fd/9',
    changed('.mcp.json'),
  ),
  tampering(
    'take the permissions of a protected file away',
    'chmod 000 .mcp.json',
    ({ workspace }) => (lstatSync(join(workspace, '.mcp.json')).mode & 0o777) === 0,
  ),
  tampering(
    'change the settings of the client',
    'echo evil > .claude/settings.json',
    changed('.claude/settings.json'),
  ),
  tampering(
    'add commands to the client',
    'mkdir .claude/commands; echo evil > .claude/commands/x.md',
    exists('.claude/commands'),
  ),
  tampering(
    'move the client’s folder aside and make another',
    'mv .claude aside; mkdir .claude; echo evil > .claude/settings.json',
    changed('.claude/settings.json'),
  ),
  tampering(
    'close the folder that protected ones lie in',
    'chmod 000 .git',
    ({ workspace }) => (lstatSync(join(workspace, '.git')).mode & 0o700) !== 0o700,
  ),
  tampering('append to a start-up file of the shell', 'echo evil >> .bashrc', changed('.bashrc')),
  tampering(
    'remove a protected folder',
    'rm -rf .git/hooks',
    ({ workspace }) => !existsSync(join(workspace, '.git/hooks/pre-commit.sample')),
  ),

  tampering(
    'make a protected folder that is not there',
    'mkdir .vscode; echo evil > .vscode/tasks.json',
    exists('.vscode'),
  ),
  tampering('make a protected file that is not there', 'echo evil > .profile', exists('.profile')),
  tampering(
    'make contextd’s own folder',
    'mkdir -p .contextd/tools/evil; echo evil > .contextd/config.toml',
    exists('.contextd'),
  ),
  tampering('link a protected name elsewhere', 'mkdir evil; ln -s evil .vscode', exists('.vscode')),
  tampering(
    'rename something to a protected name',
    'mkdir evil; echo evil > evil/tasks.json; mv evil .vscode',
    exists('.vscode'),
  ),
  tampering(
    'make a protected folder and close the workspace',
    'mkdir .vscode; echo evil > .vscode/tasks.json; chmod 555 .',
    exists('.vscode'),
  ),
  tampering(
    'make a protected folder that nobody may look into',
    'mkdir -p .vscode/deep; echo evil > .vscode/tasks.json; chmod 000 .vscode/deep; chmod 000 .vscode',
    exists('.vscode'),
  ),
  tampering(
    'make a protected folder again and again, to the very end',
    'for worker in 1 2; do while :; do mkdir -p .vscode; echo evil > .vscode/tasks.json; done & done; sleep 0.5; while [ -n "$TWIN" ] && ! [ -e .vscode/tasks.json ]; do sleep 0.1; done; [ -z "$TWIN" ] || kill $(jobs -p)',
    exists('.vscode'),
  ),
  {
    ...tampering(
      'make the folder of hooks where there was none',
      'mkdir .git/hooks; echo evil > .git/hooks/pre-commit',
      exists('.git/hooks'),
    ),
    before: ({ workspace }) => rmSync(join(workspace, '.git/hooks'), { recursive: true }),
  },
  {
    ...tampering(
      'make git’s folder with hooks where there was none',
      'mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit',
      exists('.git/hooks'),
    ),
    before: withoutGit,
  },
  {
    ...tampering(
      'make git’s folder with hooks, and close it',
      'mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit; chmod 555 .git',
      exists('.git/hooks'),
    ),
    before: withoutGit,
  },
  {
    ...tampering(
      'name another folder as git’s',
      'mkdir -p evil/hooks; echo evil > evil/hooks/pre-commit; echo "gitdir: evil" > .git',
      exists('.git'),
    ),
    before: withoutGit,
  },
  {
    ...tampering(
      'link another folder as git’s',
      'mkdir -p evil/hooks; echo evil > evil/hooks/pre-commit; ln -s evil .git',
      exists('.git'),
    ),
    before: withoutGit,
  },

  {
    ...tampering(
      'make git’s folder with hooks, and let nobody look into it',
      'mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit; chmod 000 .git; sleep 0.3',
      exists('.git/hooks'),
    ),
    before: withoutGit,
  },
]
