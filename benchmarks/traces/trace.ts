/** Tool calls and their results in order, from recordings of agents in several formats. */

export interface Step {
  readonly kind: 'call' | 'answer'
  /** Name of the tool; empty for a result. */
  readonly tool: string
  readonly text: string
}

/**
 * Reads the sessions of a file. A line with a whole conversation is a session; otherwise all lines are messages of one
 * session. Formats: Claude Code transcripts and the Messages API, the Responses API (including Codex sessions),
 * SWE-agent `.traj`.
 */
export function sessionsIn(text: string): readonly (readonly Step[])[] {
  const records = recordsIn(text)
  const whole = records.every(
    (record) => isObject(record) && ('response' in record || 'trajectory' in record),
  )
  const sessions = whole
    ? records.map((record) => stepsIn(record))
    : [records.flatMap((record) => stepsIn(record))]
  return sessions.map(withoutRepeats).filter((steps) => steps.some(({ kind }) => kind === 'call'))
}

function recordsIn(text: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return text.split('\n').flatMap((line) => {
      try {
        return [JSON.parse(line) as unknown]
      } catch {
        return []
      }
    })
  }
}

interface FoundStep extends Step {
  /** Some recordings contain a call several times, such as in the following request. */
  readonly id?: string | undefined
}

function stepsIn(value: unknown): FoundStep[] {
  if (Array.isArray(value)) return value.flatMap(stepsIn)
  if (!isObject(value)) return []
  const { type, id, call_id: callId, tool_use_id: useId } = value as Record<string, string | undefined>
  const step = (kind: Step['kind'], tool: unknown, content: unknown, key?: string): FoundStep[] => [
    { kind, tool: String(tool), text: textOf(content), id: key && `${kind} ${key}` },
  ]
  if (type === 'tool_use') return step('call', value.name, value.input, id)
  if (type === 'function_call') return step('call', value.name, parsed(value.arguments), callId)
  if (type === 'tool_result') return step('answer', '', value.content, useId)
  if (type === 'function_call_output') return step('answer', '', value.output, callId)
  if (typeof value.action === 'string' && typeof value.observation === 'string')
    return [...step('call', 'bash', { command: value.action }), ...step('answer', '', value.observation)]
  return Object.values(value).flatMap(stepsIn)
}

function withoutRepeats(steps: readonly FoundStep[]): Step[] {
  const seen = new Set<string>()
  return steps.filter(({ id }) => id === undefined || (!seen.has(id) && seen.add(id)))
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return text
  }
}

/** All strings of a value, one per line, without the description that a model adds to its call. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  const fields = Object.entries(value).filter(([name]) => name !== 'description' && name !== 'type')
  return fields.map(([, part]) => textOf(part)).join('\n')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
