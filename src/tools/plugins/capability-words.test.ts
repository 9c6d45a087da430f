import { expect, test } from 'vitest'

import { parseCapability } from '../../core/capability.ts'
import { capabilityProblem, describeCapability } from './capability-words.ts'

test.each([
  ['fs:read', 'read every file of the workspace'],
  ['fs:read:**', 'read every file of the workspace'],
  ['fs:read:src/**', 'read files below src/'],
  ['fs:write:out/', 'read and write files below out/'],
  ['fs:read:README.md', 'read README.md'],
  ['http:fetch:GET@api.example.com', 'reach api.example.com on ports 80 and 443 with GET'],
  ['scrubber:scan', 'ask contextd to find secrets in a text'],
  ['memory:read', 'search the memories of this project'],
  ['memory:write', 'add memories to this project'],
  ['shell:exec', 'start other programs, for agents that may use the shell'],
  ['secret:reveal', 'get the real values of secrets in its input, if your rules reveal them to it'],
])('%s: may %s', (text, words) => {
  expect(capabilityProblem(text)).toBeUndefined()
  expect(describeCapability(parseCapability(text)!)).toBe(words)
})

test.each([
  ['net:all', /^expected one of fs:read/],
  ['net:connect:127.0.0.1:5432', /for commands only/],
  ['shell:cache:npm', /for commands only/],
  ['fs:read:*.ts', /whole folders/],
  ['fs:read:src/**/a', /whole folders/],
  ['fs:read:../other', /"\.\."/],
  ['http:fetch:api.example.com/path', /must be \[METHOD@\]host\[:port\]/],
  ['scrubber:scan:all', /takes no scope/],
  // Pasted into a shell, these would be more than an argument.
  [`fs:read:x' $(touch y) '`, /quotes/],
  ['fs:read:a\u202Eb', /invisible/],
])('%j cannot be asked for', (text, problem) => {
  expect(capabilityProblem(text)).toMatch(problem)
})
