import { expect, test } from 'vitest'

import { setupWith, type Lists } from '../../../../test/claude-setup.ts'
import type { FileNames } from '../../setup/setup.ts'
import { explain } from '../explain.ts'

const links: Readonly<Record<string, string>> = {
  '/home/me/project/link.txt': '/home/me/project/real.txt',
  '/home/me/project/link': '/home/me/project/real',
  '/home/me/project/link/f.txt': '/home/me/project/real/f.txt',
  '/home/me/project/out/f.txt': '/srv/f.txt',
  '/home/me/project/dot/x.json': '/home/me/project/.claude/x.json',
}

function namesOf(path: string): FileNames {
  const target = links[path]
  return {
    all: [path, ...(target === undefined ? [] : [target])],
    isLink: path.endsWith('link.txt'),
    isThere: true,
  }
}

const edits = { allow: ['Edit', 'Write', 'Bash'] }

test.each<[Lists, string, string]>([
  // One matching name is enough to deny.
  [{ deny: ['Read(real/**)'] }, 'Read(link/f.txt)', 'deny'],
  [{ deny: ['Read(link/**)'] }, 'Read(link/f.txt)', 'deny'],
  [{ deny: ['Read(real/**)'] }, 'Bash(cat link/f.txt)', 'deny'],
  [{ ask: ['Read(real/**)'] }, 'Read(link/f.txt)', 'ask'],
  [{ deny: ['Read(other/**)'] }, 'Read(link/f.txt)', 'allow'],
  // Links in the rule's own path are followed only if it is absolute.
  [{ deny: ['Read(./link/**)'] }, 'Read(real/f.txt)', 'allow'],
  [{ deny: ['Read(link.txt)'] }, 'Read(real.txt)', 'allow'],
  [{ deny: ['Read(//home/me/project/link/**)'] }, 'Read(real/f.txt)', 'deny'],
  [{ deny: ['Read(~/project/link.txt)'] }, 'Read(real.txt)', 'deny'],
  [{ deny: ['Read(~/project/link.txt)'] }, 'Bash(cat real.txt)', 'deny'],
  // To allow, every name must match.
  [{}, 'Read(out/f.txt)', 'ask'],
  [{ allow: ['Read(out/**)'] }, 'Read(out/f.txt)', 'ask'],
  [{ allow: ['Read(//srv/**)'] }, 'Read(out/f.txt)', 'ask'],
  [{ allow: ['Read(//srv/**)', 'Read(out/**)'] }, 'Read(out/f.txt)', 'allow'],
  [{ allow: ['Read'] }, 'Read(out/f.txt)', 'allow'],
  [{ allow: ['Read(*)'] }, 'Read(out/f.txt)', 'ask'],
  // For commands, the real path of a read file matters.
  [{}, 'Bash(cat out/f.txt)', 'ask'],
  [{ allow: ['Read(//srv/**)'] }, 'Bash(cat out/f.txt)', 'allow'],
  // Writes never replace a link, and prompt if they leave the project.
  [edits, 'Edit(link.txt)', 'deny'],
  [edits, 'Edit(real.txt)', 'allow'],
  [edits, 'Edit(link/f.txt)', 'allow'],
  [edits, 'Edit(out/f.txt)', 'ask'],
  [edits, 'Edit(//srv/f.txt)', 'allow'],
  [edits, 'Bash(touch out/f.txt)', 'ask'],
  [edits, 'Bash(touch link/f.txt)', 'allow'],
  [{ allow: ['Edit(//srv/**)', 'Edit(out/**)'] }, 'Edit(out/f.txt)', 'allow'],
  [edits, 'Edit(dot/x.json)', 'ask'],
  [edits, 'Bash(touch dot/x.json)', 'ask'],
  // A path that goes up again cannot be resolved without the disk.
  [{}, 'Bash(cat real/../real.txt)', 'ask'],
  [{}, 'Bash(cat ./real/f.txt)', 'allow'],
  [{}, 'Bash(cat ../project/real.txt)', 'allow'],
  [edits, 'Bash(cat real/../real.txt)', 'allow'],
])('%j: %s is %s', (user, tool, decision) => {
  const setup = setupWith({ user }, { namesOf })
  expect(explain(setup, { tool, cliAllow: [], cliDeny: [] }).decision).toBe(decision)
})
