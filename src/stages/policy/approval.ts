import type { Ask, Call } from '../../core/call.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import {
  approvalAnswers,
  type ApprovalAnswer,
  type ApprovalNeeded,
  type Approvals,
  type Clock,
} from '../../core/ports.ts'
import { InputNeeded, refusal, type InputRequired, type Refusal } from '../../core/result.ts'

export type ApprovalOutcome =
  /** The call may proceed. The time the user took does not count towards the tool's timeout. */
  | { readonly kind: 'approved'; readonly call: Call }
  | Refusal
  /** The client will repeat the call with the answer. */
  | InputRequired

/** Passes a call that needs no approval, or asks the user for it through the client. No answer means no. */
export function seekApproval(
  call: Call,
  approvals: Approvals | undefined,
  clock: Clock,
): ApprovalOutcome | Promise<ApprovalOutcome> {
  const needed = call.method === 'tool' ? approvals?.needed(call) : undefined
  if (approvals === undefined || needed === undefined) return { kind: 'approved', call }
  return askUser(call, needed, approvals, clock)
}

async function askUser(
  call: Call,
  needed: ApprovalNeeded,
  approvals: Approvals,
  clock: Clock,
): Promise<ApprovalOutcome> {
  const ask = call.ask?.kinds.includes('elicitation') === true ? call.ask : undefined
  if (ask === undefined || needed.question === undefined) return refuse(needed)
  const askedAt = clock()
  // A client that repeats the call with the answer was already asked.
  if (call.input?.responses === undefined) approvals.asked?.(call, needed)
  const answer = await answerOf(ask, call, needed.question, clock)
  if (answer === undefined) return refuse(needed)
  if (typeof answer !== 'string') return answer
  approvals.answered(call, needed, answer)
  if (answer === 'no') {
    const { why } = needed
    return refusal('APPROVAL_REQUIRED', { why, hint: `${why} The user said no for this session.` })
  }
  return { kind: 'approved', call: { ...call, deadline: call.deadline + clock() - askedAt } }
}

function refuse({ why, command }: ApprovalNeeded): Refusal {
  return refusal('APPROVAL_REQUIRED', { why, hint: `${why} Ask the user to run \`${command}\`.`, command })
}

/** The user's answer within the deadline of the call; undefined if the user gave no answer. */
async function answerOf(
  ask: Ask,
  call: Call,
  question: string,
  clock: Clock,
): Promise<ApprovalAnswer | InputRequired | undefined> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, call.deadline - clock()), undefined)
  })
  try {
    const reply = await Promise.race([ask({ kind: 'elicitation', params: form(question) }), tooLate])
    return reply && readReply(reply)
  } catch (error) {
    return error instanceof InputNeeded ? error.result : undefined
  } finally {
    clearTimeout(timer)
  }
}

function form(message: string): JsonObject {
  const grant = {
    type: 'string',
    title: 'Allow it',
    description:
      'once: this call; session: until the session ends; always: from now on; no: not in this session',
    enum: [...approvalAnswers],
  }
  return { message, requestedSchema: { type: 'object', properties: { grant }, required: ['grant'] } }
}

function readReply({ action, content }: JsonObject): ApprovalAnswer | undefined {
  if (action === 'decline') return 'no'
  const grant = action === 'accept' && isJsonObject(content) ? content.grant : undefined
  return approvalAnswers.find((answer) => answer === grant)
}
