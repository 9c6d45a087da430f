import { describe, expect, test } from 'vitest'

import { createDiffReader } from './diff.ts'

type Seen = string | [kind: string, ...details: unknown[]]

/** The events for a patch read in chunks of this size, with lines joined again. */
function read(patch: string | Buffer, size = Infinity): Seen[] {
  const seen: Seen[] = []
  let line = ''
  const reader = createDiffReader({
    commit: (id) => seen.push(['commit', id]),
    file: (name, isNew) => seen.push(['file', name, isNew]),
    hunk: (firstLine) => seen.push(['hunk', firstLine]),
    content(bytes, isAdded) {
      line += Buffer.from(bytes).toString()
      if (!line.endsWith('\n')) return
      seen.push(`${isAdded ? '+' : ' '}${line.slice(0, -1)}`)
      line = ''
    },
    hunkEnd: () => seen.push(['end']),
  })
  const bytes = Buffer.from(patch)
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size))
  return seen
}

const id = 'a1'.repeat(20)
const patch = `${id}
diff --git a/src/a.ts b/src/a.ts
index 111..222 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,4 @@ function x
 one
-two
+zwei
+drei
 four
@@ -20 +21,0 @@
-gone
diff --git a/new b/new
new file mode 100644
--- /dev/null
+++ b/new
@@ -0,0 +1,2 @@
+first
+last
\\ No newline at end of file
diff --git a/old b/old
deleted file mode 100644
--- a/old
+++ /dev/null
@@ -1 +0,0 @@
-x
`

const expected: Seen[] = [
  ['commit', id],
  ['file', 'src/a.ts', false],
  ['hunk', 1],
  ' one',
  '+zwei',
  '+drei',
  ' four',
  ['end'],
  ['hunk', 21],
  ['end'],
  ['file', 'new', true],
  ['hunk', 1],
  '+first',
  '+last',
  ['end'],
  ['hunk', 0],
  ['end'],
]

test.each([1, 2, 3, 7, 64, Infinity])('commits, files and lines, in chunks of %d', (size) => {
  expect(read(patch, size)).toEqual(expected)
})

test('content that looks like a patch is content', () => {
  const lines = [`+${id}`, '+diff --git a/x b/x', '++++ b/evil', '+@@ -1 +1 @@', '+\\ No newline']
  const seen = read(
    `diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1,${lines.length} @@\n${lines.join('\n')}\n${id}\n`,
  )
  expect(seen).toEqual([['file', 'a', false], ['hunk', 1], ...lines, ['end'], ['commit', id]])
})

test('in a merge, only lines that no parent has are added', () => {
  const merge = `${id}
diff --cc a
index 1,2..3
--- a/a
+++ b/a
@@@ -1,3 -1,3 +1,5 @@@
  both
- lost in one
 -lost in two
+ from two
 +from one
++by the merge
  end
`
  expect(read(merge)).toEqual([
    ['commit', id],
    ['file', 'a', false],
    ['hunk', 1],
    ' both',
    ' from two',
    ' from one',
    '+by the merge',
    ' end',
    ['end'],
  ])
})

describe('names', () => {
  test.each([
    ['b/plain', 'plain'],
    ['b/with space\t', 'with space'],
    [String.raw`"b/q\"uo\\te\tt\303\244"`, 'q"uo\\te\tt\u00e4'],
    ['b/b/b', 'b/b'],
  ])('%s', (written, name) => {
    expect(read(`+++ ${written}\n`)).toEqual([['file', name, false]])
  })
})

test('an empty line without its marker is a context line', () => {
  expect(read('+++ b/a\n@@ -1,2 +1,3 @@\n one\n\n+two\n')).toEqual([
    ['file', 'a', false],
    ['hunk', 1],
    ' one',
    ' ',
    '+two',
    ['end'],
  ])
})

test('an endless line is not buffered', () => {
  let bytes = 0
  const reader = createDiffReader({
    commit: () => {},
    file: () => {},
    hunk: () => {},
    content: (piece) => (bytes += piece.length),
    hunkEnd: () => {},
  })
  reader.push(Buffer.from('+++ b/a\n@@ -0,0 +1 @@\n+'))
  for (let piece = 0; piece < 100; piece++) reader.push(Buffer.alloc(100_000, 'a'))
  expect(bytes).toBe(10_000_000)
})
