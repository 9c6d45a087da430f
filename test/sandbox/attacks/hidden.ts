/** Folders and files of the workspace that commands must not see, such as contextd's own state. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { type Attack, bare, reveals, succeeds } from '../attack.ts'
import { secret } from '../layout.ts'
import { changed, exchange, tampering, topic } from './workspace-attack.ts'

export const hiddenAttacks: readonly Attack[] = [
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
  tampering('move a hidden folder', 'mv private/state private/aside', changed('private/state/contextd.db')),
  tampering(
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
  tampering('remove a hidden file', 'rm -f private/key; rm -rf private', ({ workspace }) => {
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
