import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { makeClaudeFolders } from '../../../test/claude-folders.ts'

it('reads Markdown of the project, but not of dependencies', () => {
  const folders = makeClaudeFolders()
  try {
    folders.write({
      'project/CLAUDE.md': 'one',
      'project/docs/deep/Guide.MDX': 'two',
      'project/.claude/commands/c.md': 'three',
      'project/main.ts': 'no',
      'project/node_modules/x/README.md': 'no',
      'project/packages/a/node_modules/x/README.md': 'no',
      'project/build/notes.md': 'no',
      'project/.gitignore': 'build/\n',
      'project/large.md': 'x'.repeat(1_100_000),
      'home/notes.md': 'no',
    })
    mkdirSync(join(folders.places.project, 'folder.md'))
    const texts = Array.from(folders.read().documents(), ({ file, text }) => [folders.short(file), text])
    expect(texts).toEqual([
      ['project/CLAUDE.md', 'one'],
      ['project/.claude/commands/c.md', 'three'],
      ['project/docs/deep/Guide.MDX', 'two'],
    ])
  } finally {
    folders.remove()
  }
})

it('reports where it stops if there are too many', () => {
  const folders = makeClaudeFolders()
  const left = (): string[] =>
    Array.from(folders.read().documents())
      .filter(({ isLeftOut }) => isLeftOut)
      .map(({ file }) => folders.short(file))
  try {
    const names = Array.from({ length: 2000 }, (_, index) => `project/docs/${index}.md`)
    folders.write(Object.fromEntries(names.map((name) => [name, ''])))
    expect(left()).toEqual([])
    folders.write({ 'project/docs/last.md': '', 'project/docs/more.md': '' })
    expect(left()).toEqual(['project/docs/last.md'])
  } finally {
    folders.remove()
  }
})
