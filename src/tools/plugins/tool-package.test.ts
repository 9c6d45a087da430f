import { describe, expect, it } from 'vitest'

import { packageFiles, type PackageParts } from '../../../test/support/tool-packages.ts'
import { hashFiles, type PackageFiles } from './package-files.ts'
import { readToolPackage } from './tool-package.ts'

/** As many as there are words. */
const count = (text: string): number => text.split(/\s+/).length

function filesOf(texts: Record<string, string | Buffer>): PackageFiles {
  const files = Object.entries(texts).map(([path, text]) => ({
    path,
    bytes: Buffer.from(text),
    executable: path.startsWith('run'),
    sha256: '',
  }))
  return { files, sha256: hashFiles(files), problems: [] }
}

function read(parts: PackageParts & { without?: string; raw?: Record<string, Buffer> } = {}) {
  const { without = '', raw = {}, ...rest } = parts
  const { [without]: _, ...texts } = packageFiles(rest)
  return readToolPackage('probe', filesOf({ ...texts, ...raw }), count)
}

function problemsOf(parsed: ReturnType<typeof read>): readonly string[] {
  return parsed.ok ? [] : parsed.problems
}

it('is what its files say', () => {
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: { a: {} } }
  expect(read({ schema, description: '\nSays hello.\n', required: ['fs:read:src/**'] })).toMatchObject({
    ok: true,
    value: {
      name: 'probe',
      description: 'Says hello.',
      inputSchema: { type: 'object', properties: { a: {} } },
      executable: 'run.sh',
      manifest: { required: [{ kind: 'fs:read', scope: 'src/**' }] },
    },
  })
})

it('says everything that is wrong at once', () => {
  const files = {
    'capabilities.toml': '[component]\nname = "other"',
    'schema.json': '[1]',
    'TOOL.md': ' ',
    'run.sh': 'no line',
  }
  expect(problemsOf(read({ files }))).toEqual([
    'TOOL.md: is empty; say in a sentence or two what the tool is for',
    'schema.json:1:1: expected an object: the JSON Schema of the input',
    'capabilities.toml: component.name: must be the name of the folder',
    'run.sh: is neither a binary nor a script with a "#!" line',
  ])
})

it.each(['TOOL.md', 'schema.json', 'capabilities.toml'])('needs %s', (without) => {
  expect(problemsOf(read({ without }))).toEqual([`${without}: is missing`])
})

describe('TOOL.md', () => {
  it('has fewer than 100 tokens', () => {
    expect(problemsOf(read({ description: 'a '.repeat(99).trim() }))).toEqual([])
    expect(problemsOf(read({ description: 'a '.repeat(100).trim() }))).toEqual([
      'TOOL.md: has 100 tokens; it must have fewer than 100',
    ])
  })

  it('hides nothing, and is text', () => {
    const hidden = `Says hello.${String.fromCodePoint(0xe0041, 0xe0042)}`
    expect(problemsOf(read({ description: hidden }))).toEqual([
      expect.stringMatching(/^TOOL\.md: contains invisible characters/),
    ])
    expect(problemsOf(read({ raw: { 'TOOL.md': Buffer.from([0xff]) } }))).toEqual([
      'TOOL.md: is not UTF-8 text',
    ])
  })
})

describe('schema.json', () => {
  it.each([
    ['no JSON', '{"type": "object",}', /^schema\.json:1:\d+: /],
    [
      'a key twice',
      '{"type": "object", "type": "object"}',
      /^schema\.json:1:20: the key "type" is given twice/,
    ],
    ['another type', '{\n  "type": "string"\n}', /^schema\.json:2:\d+: expected "type": "object"/],
    [
      'agent_id',
      '{"type": "object", "properties": {"agent_id": {}}}',
      /^schema\.json:1:\d+: agent_id says who calls/,
    ],
    ['hidden text', '{"type": "object", "description": "\u200B"}', /^schema\.json: contains invisible/],
    [
      'too much',
      `{"type": "object", "description": "${'x'.repeat(40_000)}"}`,
      /^schema\.json: is larger than 32 KB/,
    ],
  ])('is refused with %s', (_, text, problem) => {
    expect(problemsOf(read({ files: { 'schema.json': text } }))).toEqual([expect.stringMatching(problem)])
  })
})

describe('the executable', () => {
  const named = (path: string): string => `[component]\nname = "probe"\nexecutable = "${path}"`
  it('is the one that is named, or run, or run.*', () => {
    expect(read({ files: { 'run-other': '#!/bin/sh' } })).toMatchObject({ value: { executable: 'run.sh' } })
    const other = read({ files: { 'run-other': '#!/bin/sh', 'capabilities.toml': named('run-other') } })
    expect(other).toMatchObject({ value: { executable: 'run-other' } })
    expect(read({ without: 'run.sh', files: { 'run-it': '\u007FELF' } })).toMatchObject({
      value: { executable: 'run-it' },
    })
  })

  it.each([
    ['nobody can tell', { 'run.py': '#!/usr/bin/python3' }, '', /^run\.sh and run\.py could both be meant/],
    ['there is none', {}, 'run.sh', /^no executable found/],
    ['it is not there', { 'capabilities.toml': named('nope') }, '', /component\.executable: no such file/],
    ['it leads out', { 'capabilities.toml': named('../run.sh') }, '', /component\.executable: no such file/],
    [
      'it cannot be executed',
      { 'capabilities.toml': named('main'), main: '#!/bin/sh' },
      '',
      /^main: is not executable/,
    ],
  ])('is refused where %s', (_, files, without, problem) => {
    expect(problemsOf(read({ files, without }))).toEqual([expect.stringMatching(problem)])
  })
})
