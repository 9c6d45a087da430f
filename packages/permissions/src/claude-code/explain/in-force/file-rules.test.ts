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
  // Any name is enough to close.
  [{ deny: ['Read(real/**)'] }, 'Read(link/f.txt)', 'deny'],
  [{ deny: ['Read(link/**)'] }, 'Read(link/f.txt)', 'deny'],
  [{ deny: ['Read(real/**)'] }, 'Bash(cat link/f.txt)', 'deny'],
  [{ ask: ['Read(real/**)'] }, 'Read(link/f.txt)', 'ask'],
  [{ deny: ['Read(other/**)'] }, 'Read(link/f.txt)', 'allow'],
  // What a rule names is followed from a fixed place only.
  [{ deny: ['Read(./link/**)'] }, 'Read(real/f.txt)', 'allow'],
  [{ deny: ['Read(link.txt)'] }, 'Read(real.txt)', 'allow'],
  [{ deny: ['Read(//home/me/project/link/**)'] }, 'Read(real/f.txt)', 'deny'],
  [{ deny: ['Read(~/project/link.txt)'] }, 'Read(real.txt)', 'deny'],
  [{ deny: ['Read(~/project/link.txt)'] }, 'Bash(cat real.txt)', 'deny'],
  // To open, every name must be meant.
  [{}, 'Read(out/f.txt)', 'ask'],
  [{ allow: ['Read(out/**)'] }, 'Read(out/f.txt)', 'ask'],
  [{ allow: ['Read(//srv/**)'] }, 'Read(out/f.txt)', 'ask'],
  [{ allow: ['Read(//srv/**)', 'Read(out/**)'] }, 'Read(out/f.txt)', 'allow'],
  [{ allow: ['Read'] }, 'Read(out/f.txt)', 'allow'],
  [{ allow: ['Read(*)'] }, 'Read(out/f.txt)', 'ask'],
  // A command reads where the file really is.
  [{}, 'Bash(cat out/f.txt)', 'ask'],
  [{ allow: ['Read(//srv/**)'] }, 'Bash(cat out/f.txt)', 'allow'],
  // Nothing is written in place of a link, nor out of the project without asking.
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
  // Where a path goes back, nobody knows without following it.
  [{}, 'Bash(cat real/../real.txt)', 'ask'],
  [{}, 'Bash(cat ./real/f.txt)', 'allow'],
  [{}, 'Bash(cat ../project/real.txt)', 'allow'],
  [edits, 'Bash(cat real/../real.txt)', 'allow'],
])('%j: %s is %s', (user, tool, decision) => {
  const setup = setupWith({ user }, { namesOf })
  expect(explain(setup, { tool, cliAllow: [], cliDeny: [] }).decision).toBe(decision)
})
