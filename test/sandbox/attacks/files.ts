import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { type Attack, bare, reveals, standIn, succeeds } from '../attack.ts'
import type { Layout } from '../layout.ts'

const topic = 'files'

const appeared =
  (name: string) =>
  ({ outside }: Layout): boolean =>
    existsSync(join(outside, name))

export const fileAttacks: readonly Attack[] = [
  {
    topic,
    name: 'write a file outside by its absolute path',
    script: succeeds('echo x > "$OUTSIDE/absolute"'),
    after: appeared('absolute'),
    twin: bare,
  },
  {
    topic,
    name: 'write a file outside through ..',
    script: succeeds('echo x > ../outside/relative'),
    after: appeared('relative'),
    twin: bare,
  },
  {
    topic,
    name: 'read a file outside through ..',
    script: reveals('cat ../outside/secret'),
    twin: bare,
  },
  {
    topic,
    name: 'append to a file outside',
    script: succeeds('echo x >> "$OUTSIDE/secret"'),
    after: ({ outside }) => readFileSync(join(outside, 'secret'), 'utf8').includes('x\n'),
    twin: bare,
  },
  {
    topic,
    name: 'read through a link made inside',
    script: reveals('ln -sfn "$OUTSIDE" made-inside; cat made-inside/secret'),
    twin: bare,
  },
  {
    topic,
    name: 'write through a link made inside',
    script: succeeds('ln -sfn "$OUTSIDE" made-to-write; echo x > made-to-write/by-link'),
    after: appeared('by-link'),
    twin: bare,
  },
  {
    topic,
    name: 'read through a folder link that was planted before',
    script: reveals('cat planted/secret'),
    twin: bare,
  },
  {
    topic,
    name: 'write through a folder link that was planted before',
    script: succeeds('echo x > planted/by-planted-link'),
    after: appeared('by-planted-link'),
    twin: bare,
  },
  {
    topic,
    name: 'read a file link that was planted before',
    script: reveals('cat planted-secret'),
    twin: bare,
  },
  {
    topic,
    name: 'hardlink a file outside into the workspace',
    script: reveals('ln "$OUTSIDE/secret" hardlink && cat hardlink'),
    twin: bare,
  },
  {
    topic,
    name: 'rename a file out of the workspace',
    script: succeeds('echo x > going-out; mv going-out "$OUTSIDE/renamed-out"'),
    after: appeared('renamed-out'),
    twin: bare,
  },
  {
    topic,
    name: 'see what lies beside the workspace',
    script: succeeds('ls -A .. | grep -x outside'),
    twin: bare,
  },
  {
    topic,
    name: 'read a private key in a home folder',
    script: reveals('cat "$OUTSIDE/.ssh/id_ed25519"'),
    twin: bare,
  },
  {
    topic,
    name: 'read the hashed passwords of the machine',
    script: succeeds('grep -q : "$ETC/shadow"'),
    twin: standIn,
  },
  {
    topic,
    name: 'learn the names of the users of the machine',
    script: succeeds('[ "$(id -u)" != 0 ] && grep -q ^root: "$ETC/passwd" || ls "$ROOT/home" | grep -q .'),
    twin: standIn,
  },
  {
    topic,
    name: 'look into the folders of the machine that hold data',
    script: succeeds('ls -A /root /home /var /run/user /srv /mnt /media /boot | grep -v : | grep -q .'),
    twin: bare,
  },
  {
    topic,
    name: 'go by the root folder of the first process',
    script: reveals('cat "$PROC_ROOT$OUTSIDE/secret"'),
    env: () => ({ PROC_ROOT: '/proc/1/root' }),
    // Another user's root folder is closed to an ordinary user anyway; one's own shows that the way would lead there.
    twin: { where: 'bare', env: () => ({ PROC_ROOT: '/proc/self/root' }) },
  },
  {
    topic,
    name: 'go by the root and working folders of every process',
    script: reveals(
      'for process in /proc/[0-9]*; do cat "$process/root$OUTSIDE/secret" "$process/cwd/../outside/secret"; done',
    ),
    twin: bare,
  },
  {
    topic,
    name: 'read the environment of the launcher',
    script: succeeds("cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -q '^LAUNCHER_SECRET=.'"),
    twin: bare,
  },
  {
    topic,
    name: 'find the environment of the launcher in one’s own',
    script: succeeds('[ -n "$LAUNCHER_SECRET" ]'),
    twin: bare,
  },
  {
    topic,
    name: 'read the command line of the launcher',
    script: succeeds("cat /proc/[0-9]*/cmdline | tr '\\0' '\\n' | grep -q '^--launcher-[s]ecret'"),
    twin: bare,
  },
  {
    topic,
    name: 'read what the launcher was told about hidden folders',
    script: succeeds("cat /proc/[0-9]*/cmdline | tr '\\0' '\\n' | grep -q 'private/[s]tate'"),
    twin: {
      where: 'weak',
      options: ({ workspace }) => [
        '--ro-bind',
        join(workspace, 'private/state'),
        join(workspace, 'private/state'),
      ],
    },
  },
  {
    topic,
    name: 'use a high descriptor the launcher had open',
    script: reveals('cat /proc/self/fd/251'),
    twin: bare,
  },
  {
    topic,
    name: 'use any descriptor the launcher had open',
    script: reveals(
      'for file in /proc/self/fd/*; do [ "${file##*/}" -gt 2 ] && timeout "${TWIN:+1}1" cat "$file"; done',
    ),
    twin: bare,
  },
  {
    topic,
    name: 'reopen the standard streams as files of the machine',
    script: `exec 8>&1; [ -z "$OUTPUT" ] || exec > "$OUTPUT"
if [ -f /proc/$$/fd/0 ] || [ -f /proc/$$/fd/1 ] || [ -f /proc/$$/fd/2 ]; then echo ESCAPED >&8; else echo CONTAINED >&8; fi`,
    alone: {},
    // The twin's output goes to a file, which is what must never happen inside.
    twin: { where: 'bare', env: ({ folder }) => ({ OUTPUT: join(folder, 'output') }) },
  },
  {
    topic,
    name: 'write into a folder that is shared for reading',
    script: succeeds('echo x > "$SHARED/written" || echo x >> "$SHARED/library.txt"'),
    after: ({ shared }) => existsSync(join(shared, 'written')),
    twin: bare,
  },
  {
    topic,
    name: 'change permissions in a folder that is shared for reading',
    script: succeeds('chmod 600 "$SHARED/library.txt"'),
    twin: bare,
  },
  {
    topic,
    name: 'move the workspace away',
    script: succeeds('mv "$WS" "$WS.moved"'),
    after: ({ workspace }) => !existsSync(workspace),
    alone: {},
    twin: bare,
  },
  {
    topic,
    name: 'write to the folders of the system',
    script: succeeds(
      'for place in "$ROOT/" "$ROOT/usr" "$ROOT/usr/bin" "$ETC" "$DEV" "$PROC"; do echo x > "$place/contextd-battery" && exit 0; done; exit 1',
    ),
    twin: standIn,
  },
  {
    topic,
    name: 'replace a program of the system',
    script: succeeds('echo x >> "$ROOT/usr/bin/true" || chmod 755 "$ROOT/usr/bin/true"'),
    twin: standIn,
  },
  {
    topic,
    name: 'replace the list of users',
    script: succeeds('echo x >> "$ETC/passwd"'),
    twin: standIn,
  },
]
