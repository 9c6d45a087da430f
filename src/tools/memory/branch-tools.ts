/** Context folding: `branch` opens a subtask, `return` ends it with a summary for the caller of `branch`. */

import * as z from 'zod'

import { cutText } from '../../core/cut-text.ts'
import { CodedError } from '../../core/errors/errors.ts'
import { mapStrings, type JsonObject } from '@contextd/shared/json/value'
import type { CountTokens, ToolHost } from '../../core/ports.ts'
import { answer, invalidArguments } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import { memoryLimits } from '../../memory/bank/memory-fields.ts'
import { outcomes, type NewMemory } from '../../memory/bank/memory.ts'
import type { Branch } from '../../memory/branches/branch.ts'
import type { Branches } from '../../memory/branches/branches.ts'
import { defineTool } from '../define-tool.ts'

export interface BranchToolParts {
  readonly branches: Branches
  readonly count: CountTokens
  /** Stores a memory if the rules allow it; returns its id. */
  readonly remember: (memory: NewMemory, host: ToolHost) => Promise<string>
}

/** Max memories stored per task. */
const maxMemories = 3
const maxTitleLength = 80

export function branchTools({ branches, count, remember }: BranchToolParts): Tool[] {
  return [
    defineTool({
      name: 'branch',
      description: 'Opens a subtask that stays out of your context.',
      input: z.object({
        description: text(500),
        prompt: text(10_000),
        budget: z.int().optional(),
        timeout: z.int().optional(),
      }),
      keepsTokens: true,
      async run(wanted, host) {
        const { id, budget, ends } = branches.open(host.call, wanted, host)
        return answer({
          branch: id,
          budget,
          ends_at: `${new Date(ends).toISOString().slice(0, 19)}Z`,
          next: `Give the prompt and "branch_id ${id}" to a subagent, or do it yourself now. It ends with \`return\`: outcome, files changed, insights, open questions.`,
        })
      },
    }),
    defineTool({
      name: 'return',
      description: 'Ends a branch with a summary.',
      input: z.object({
        message: text(50_000),
        outcome: z.enum(outcomes).optional(),
        files: texts(200),
        insights: texts(50),
        open_questions: texts(50),
        extract: z.boolean().optional(),
        // Removed from the arguments before they get here: it identifies the call's branch, which the call already
        // knows.
        branch_id: z.string().optional(),
      }),
      free: () => true,
      keepsTokens: true,
      async run({ extract, ...report }, host) {
        const { outcome, insights = [] } = report
        if (extract === true && outcome === undefined) {
          return invalidArguments([{ field: 'outcome', expected: 'success or failure, to extract memories' }])
        }
        const { branch, keptOut, closedInside } = branches.end(host.call, reportText(report), host)
        const kept =
          extract === true
            ? await storeInsights(branch, insights, outcome!, (memory) => remember(memory, host), host)
            : {}
        const summary: JsonObject = {
          branch: branch.id,
          // As stored: what is private to the agent in the branch is not for the agent that opened it.
          ...(mapStrings(report as JsonObject, (said) => host.recall(host.archive(said))) as JsonObject),
          ...kept,
          ...(closedInside > 0 && { closed_inside: closedInside }),
          used: branch.used,
        }
        const isOthers = branch.worker !== undefined && branch.worker !== branch.opener
        return answer({
          ...summary,
          // The summary itself enters a context too.
          kept_out: Math.max(0, keptOut - count(JSON.stringify(summary))),
          ...(isOthers && { next: 'Finish now; your last words are this summary.' }),
        })
      },
    }),
  ]
}

/** Max lengths are not in the schema: every model would pay for them in every session. */
function text(most: number) {
  const fits = (given: string): boolean =>
    given.trim() !== '' && given.length <= most && !given.includes('\0')
  return z.string().refine(fits, `1 to ${most} characters of text`)
}

/** A list of texts or a single text. A schema that accepts anything needs the fewest tokens. */
function texts(most: number) {
  const list = z.preprocess(
    (given) => (typeof given === 'string' ? [given] : given),
    z.array(text(2000)).max(most),
  )
  return z
    .any()
    .refine((given) => list.safeParse(given).success, `at most ${most} texts of 1 to 2000 characters`)
    .transform((given) => list.parse(given))
    .optional()
}

interface Report {
  readonly message: string
  readonly outcome?: string | undefined
  readonly files?: readonly string[] | undefined
  readonly insights?: readonly string[] | undefined
  readonly open_questions?: readonly string[] | undefined
}

/** The report as one text, for later lookups. */
function reportText({ message, outcome, files = [], insights = [], open_questions = [] }: Report): string {
  const listed = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `- ${item}`)]
  return [
    message,
    ...(outcome === undefined ? [] : [`Outcome: ${outcome}`]),
    ...listed('Files', files),
    ...listed('Insights', insights),
    ...listed('Open questions', open_questions),
  ].join('\n')
}

/** Insights are stored after the branch has returned; those that could not be stored are reported. */
async function storeInsights(
  { id, description, prompt }: Branch,
  insights: readonly string[],
  outcome: NewMemory['outcome'],
  keep: (memory: NewMemory) => Promise<string>,
  { recall }: Pick<ToolHost, 'recall'>,
): Promise<JsonObject> {
  const task = cutText(recall(prompt), memoryLimits.task)
  const memories: string[] = []
  try {
    for (const insight of insights.slice(0, maxMemories)) {
      const memory = {
        title: cutText(insight.trim().split('\n', 1)[0]!, maxTitleLength),
        description: `Learned in the subtask: ${recall(description)}`,
        content: insight,
        outcome,
        task,
        sources: [id],
      }
      memories.push(await keep(memory))
    }
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    return { memories, not_kept: error.message }
  }
  const over = insights.length - maxMemories
  return { memories, ...(over > 0 && { not_kept: `${over} more: one task leaves at most ${maxMemories}` }) }
}
