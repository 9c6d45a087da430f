import { describe, expect, it } from 'vitest'

import { CommonError } from './errors/common-error.ts'
import {
  askHidden,
  refuseInsideAgent,
  requireOperator,
  type OperatorQuestion,
  type Terminal,
} from './operator.ts'

interface FakeTerminal {
  readonly terminal: Terminal
  readonly events: string[]
}

function terminalAnswering(answer: string | undefined): FakeTerminal {
  const events: string[] = []
  const terminal: Terminal = {
    write: (text) => events.push(text),
    discardInput: () => events.push('(discard)'),
    readLine: async () => answer,
    readHidden: async (prompt) => {
      events.push(prompt)
      return answer
    },
    close: () => events.push('(close)'),
  }
  return { terminal, events }
}

async function ask(
  answer: string | undefined,
  options: Partial<OperatorQuestion> = {},
): Promise<{ outcome: string; hint?: string | undefined; events: string[] }> {
  const { terminal, events } = terminalAnswering(answer)
  const question = { env: {}, question: 'Trust 1 file', openTerminal: () => terminal, ...options }
  try {
    await requireOperator(question)
    return { outcome: 'approved', events }
  } catch (error) {
    if (!(error instanceof CommonError)) throw error
    return { outcome: `${error.code}: ${error.message}`, hint: error.toObject().hint, events }
  }
}

describe('requireOperator', () => {
  it.each(['y', 'Y', 'yes', 'YES', ' y '])('treats "%s" as a yes', async (answer) => {
    expect((await ask(answer)).outcome).toBe('approved')
  })

  it.each([undefined, '', 'n', 'no', 'yy', 'yes please', 'ye', 'y\u001B[D', 'ok', 'true', '1'])(
    'treats "%s" as a no',
    async (answer) => {
      const { outcome, hint, events } = await ask(answer)
      expect(outcome).toMatch(/^APPROVAL_REQUIRED: /)
      expect(hint).toBe('Nothing was changed.')
      expect(events.at(-1)).toBe('(close)')
    },
  )

  it('shows the details, discards earlier input, then asks', async () => {
    const { events } = await ask('y', { details: ['one', 'two'] })
    expect(events).toEqual(['one\n', 'two\n', '(discard)', 'Trust 1 file? [y/N] ', '(close)'])
  })

  it('escapes control characters', async () => {
    const { events } = await ask('y', { question: 'Trust \u001B[8mevil\r', details: ['a\nb', '\u202Ea'] })
    expect(events.slice(0, 2)).toEqual(['a\\u{a}b\n', '\\u{202e}a\n'])
    expect(events[3]).toBe('Trust \\u{1b}[8mevil\\u{d}? [y/N] ')
  })

  it.each(['CLAUDECODE', 'AI_AGENT', 'CLAUDE_CODE_ENTRYPOINT', 'OPENCODE', 'CURSOR_AGENT', 'CODEX_SANDBOX'])(
    'refuses without a prompt if %s is set',
    async (name) => {
      const { outcome, events } = await ask('y', { env: { [name]: '1' } })
      expect(outcome).toBe(
        `OPERATOR_REQUIRED: This requires the user at a terminal: this shell belongs to an agent (${name} is set)`,
      )
      expect(events).toEqual([])
    },
  )

  it('ignores other variables of the same vendors', async () => {
    const env = { CLAUDE_CODE_USE_BEDROCK: '1', CODEX_HOME: '/x', CLAUDECODE: '', TERM_PROGRAM: 'vscode' }
    expect((await ask('y', { env })).outcome).toBe('approved')
  })

  it('refuses without a terminal', async () => {
    const { outcome } = await ask('y', { openTerminal: () => undefined })
    expect(outcome).toBe(
      'OPERATOR_REQUIRED: This requires the user at a terminal: there is no terminal to ask on',
    )
  })
})

describe('refuseInsideAgent', () => {
  it("needs no terminal, but not an agent's shell", () => {
    expect(() => refuseInsideAgent({ CLAUDECODE: '1' })).toThrow(
      expect.objectContaining({ code: 'OPERATOR_REQUIRED' }),
    )
    expect(() => refuseInsideAgent({ CLAUDECODE: '', TERM_PROGRAM: 'vscode' })).not.toThrow()
  })
})

describe('askHidden', () => {
  const typed = async (answer: string | undefined, env: NodeJS.ProcessEnv = {}) => {
    const { terminal, events } = terminalAnswering(answer)
    const asked = askHidden({ env, prompt: 'Value of x', openTerminal: () => terminal })
    return { asked, events }
  }

  it('discards earlier input, and does not echo the answer', async () => {
    const { asked, events } = await typed(' a secret ')
    expect(await asked).toBe(' a secret ')
    expect(events).toEqual(['(discard)', 'Value of x: ', '\n', '(close)'])
  })

  it.each([undefined, ''])('treats %j as a no', async (answer) => {
    const { asked, events } = await typed(answer)
    await expect(asked).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' })
    expect(events.at(-1)).toBe('(close)')
  })

  it('is refused inside an agent and without a terminal', async () => {
    const { asked, events } = await typed('x', { CLAUDECODE: '1' })
    await expect(asked).rejects.toMatchObject({ code: 'OPERATOR_REQUIRED' })
    expect(events).toEqual([])
    const nobody = askHidden({ env: {}, prompt: 'Value of x', openTerminal: () => undefined })
    await expect(nobody).rejects.toMatchObject({ code: 'OPERATOR_REQUIRED' })
  })
})
