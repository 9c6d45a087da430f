import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Folders and files as attacks find them: a workspace, and around it what must not be reached. */
export interface Layout {
  readonly folder: string
  readonly workspace: string
  readonly outside: string
  /** Can be read inside, not written. */
  readonly shared: string
  /** Files that look like the kernel's. */
  readonly standIn: string
}

export const secret = 'secret-of-the-outside'

const files: Readonly<Record<string, string>> = {
  'workspace/notes.txt': 'notes\n',
  'workspace/.git/HEAD': 'ref: refs/heads/main\n',
  'workspace/.git/config': '[core]\n',
  'workspace/.git/hooks/pre-commit.sample': '#!/bin/sh\n',
  'workspace/.mcp.json': '{}\n',
  'workspace/.bashrc': '# mine\n',
  'workspace/.claude/settings.json': '{}\n',
  'workspace/settings-elsewhere/settings.json': '{}\n',
  'workspace/zshrc-elsewhere': '# mine\n',
  'workspace/private/state/contextd.db': `${secret}\n`,
  'workspace/private/key': `${secret}\n`,
  'shared/library.txt': 'library\n',
  'outside/secret': `${secret}\n`,
  'outside/.ssh/id_ed25519': `${secret}\n`,
  'stand-in/proc/sys/kernel/core_pattern': 'core\n',
  'stand-in/proc/sys/kernel/hostname': 'here\n',
  'stand-in/proc/sysrq-trigger': '',
  'stand-in/proc/irq/0/smp_affinity': '3\n',
  'stand-in/proc/self/oom_score_adj': '0\n',
  'stand-in/proc/self/status': ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']
    .map((set) => `${set}:\t0000000000000400\n`)
    .concat('NoNewPrivs:\t0\nSeccomp:\t0\n')
    .join(''),
  'stand-in/proc/self/uid_map': '0 0 1\n',
  'stand-in/proc/kcore': 'memory\n',
  'stand-in/sys/kernel/uevent_helper': '\n',
  'stand-in/sys/fs/cgroup/memory/release_agent': '\n',
  'stand-in/dev/null': '',
  'stand-in/dev/mem': 'memory\n',
  'stand-in/etc/shadow': 'root:*:1::::::\n',
  'stand-in/etc/passwd': 'root:x:0:0::/root:/bin/sh\n',
  'stand-in/usr/bin/true': '',
  'stand-in/home/somebody/notes': '',
}

/** What the workspace protects: files and folders, links to them, and some that are not there. */
export const guardedNames = [
  '.git/hooks',
  '.git/config',
  '.mcp.json',
  '.bashrc',
  '.claude',
  '.cursor',
  '.zshrc',
  '.contextd',
  '.vscode',
  '.profile',
]

export const hiddenNames = ['private/state', 'private/key']

/** Builds it anew, whatever an earlier attack left there. */
export function makeLayout(folder: string): Layout {
  removeLayout(folder)
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const workspace = join(folder, 'workspace')
  const outside = join(folder, 'outside')
  symlinkSync('settings-elsewhere', join(workspace, '.cursor'))
  symlinkSync('zshrc-elsewhere', join(workspace, '.zshrc'))
  symlinkSync(outside, join(workspace, 'planted'))
  symlinkSync(join(outside, 'secret'), join(workspace, 'planted-secret'))
  return { folder, workspace, outside, shared: join(folder, 'shared'), standIn: join(folder, 'stand-in') }
}

/** Also where an attack took the folders' permissions away. */
export function removeLayout(folder: string): void {
  openUp(folder)
  rmSync(folder, { recursive: true, force: true })
}

function openUp(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return
  chmodSync(path, 0o755)
  for (const name of readdirSync(path)) openUp(join(path, name))
}
