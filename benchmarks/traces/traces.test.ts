import { expect, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { kindOf } from './command-kind.ts'
import { countRepeats } from './repeats.ts'
import { sessionsIn } from './trace.ts'

const lines = (...records: object[]): string => records.map((record) => JSON.stringify(record)).join('\n')
const expected = [
  { kind: 'call', tool: 'Bash', text: 'cat a' },
  { kind: 'answer', tool: '', text: 'x\ny' },
]
const steps = (text: string) =>
  sessionsIn(text).map((session) => session.map(({ kind, tool, text: said }) => ({ kind, tool, text: said })))

test('reads Claude Code transcripts, without repeated messages', () => {
  const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'cat a', description: 'Look' } }
  const answer = { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'x\ny' }] }
  const records = [{ message: { content: [call] } }, { message: { content: [answer] } }]
  expect(steps(lines(...records, ...records, { summary: 'Looked at a' }))).toEqual([expected])
})

test('reads Responses, one session per line, and Codex sessions, one per file', () => {
  const items = [
    { type: 'function_call', call_id: 'c1', name: 'Bash', arguments: '{"command":"cat a"}' },
    { type: 'function_call_output', call_id: 'c1', output: 'x\ny' },
  ]
  const response = { response: { output: items } }
  expect(steps(lines(response, response))).toEqual([expected, expected])
  expect(steps(lines(...items.map((payload) => ({ type: 'response_item', payload }))))).toEqual([expected])
})

test('reads trajectories of SWE-agent', () => {
  const trajectory = [{ action: 'cat a', observation: 'x\ny', thought: 'look' }]
  expect(steps(JSON.stringify({ trajectory }, null, 2))).toEqual([
    [{ ...expected[0], tool: 'bash' }, expected[1]],
  ])
})

test.each([
  ["cat > a <<'EOF'\nKEY=VALUE; x | y\nEOF", 'heredoc or redirect into a file'],
  ['cd a && echo "KEY=VALUE" >> .env', 'heredoc or redirect into a file'],
  ['echo VALUE | sudo tee .env', 'heredoc or redirect into a file'],
  ["sed -i 's/VALUE/x/' a; ls", 'edit in place (`sed -i`, `perl -i`)'],
  ["perl -pi -e 's/VALUE/x/' a", 'edit in place (`sed -i`, `perl -i`)'],
  ['git apply <<EOF\n+VALUE\nEOF', 'patch (`git apply`, `patch`)'],
  ["python3 - <<'EOF'\nopen('a', 'w').write('VALUE')\nEOF\nls", 'script given inline that writes files'],
  ["timeout 5 python -c \"print('VALUE' > 'a')\"", 'script given inline that writes none'],
  ['curl -H "Authorization: Bearer VALUE" https://api.example.com > a', 'request (`curl`, `psql`, `ssh`)'],
  ['KEY=VALUE npm test', 'environment (`KEY=… command`, `export`)'],
  ['export KEY=VALUE', 'environment (`KEY=… command`, `export`)'],
  ['cat a | grep -n VALUE > b', 'search (`grep`, `rg`, `awk`, `sed -n`)'],
  ["sed -n '/VALUE/p' a 2>&1", 'search (`grep`, `rg`, `awk`, `sed -n`)'],
  ['git commit -m "rotate VALUE -> other"', 'message (`git commit -m`, `echo`)'],
  ['cat a > b; echo VALUE', 'message (`git commit -m`, `echo`)'],
  ['cat <<EOF\nVALUE > x\nEOF', 'argument of another program'],
  ['./deploy --key VALUE', 'argument of another program'],
  ['echo VALUE; grep VALUE a', 'search (`grep`, `rg`, `awk`, `sed -n`)'],
])('%j', (command, kind) => {
  expect(kindOf(command, 'VALUE')).toBe(kind)
})

test('counts what a result showed first, in the call that repeats it', () => {
  const secret = makeSample('ghp_{alnum:36}', seededRandom(5)).text
  const call = (tool: string, text: string) => ({ kind: 'call', tool, text }) as const
  const shown = {
    kind: 'answer',
    tool: '',
    text: `1\tname = "first thing"\n2\ttoken = "${secret}"\n`,
  } as const
  const counted = countRepeats([
    [
      call('Bash', `grep ${secret} app.env`),
      shown,
      call('Bash', `grep ${secret} app.env`),
      call('Bash', 'sed -i \'s/name = "first thing"/x/\' app.env'),
    ],
    [
      call('Bash', 'cat app.env'),
      shown,
      call('Bash', `grep ${secret} app.env; echo ${secret} > b`),
      call('Edit', `app.env\ntoken = "${secret}"`),
      call('Bash', 'ls'),
    ],
  ])
  expect(counted).toMatchObject({
    sessions: 2,
    calls: 7,
    commands: 6,
    seen: { secret: 1, line: 4 },
    sessionsRepeating: { secret: 1, line: 2 },
  })
  expect(Object.fromEntries(counted.repeated.secret)).toEqual({
    'heredoc or redirect into a file': 1,
    'file tool': 1,
  })
  expect(Object.fromEntries(counted.repeated.line)).toEqual({
    'edit in place (`sed -i`, `perl -i`)': 1,
    'file tool': 1,
  })
})
