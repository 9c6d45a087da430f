import * as z from 'zod'

import type { JsonObject } from '@contextd/shared/json/value'
import type { ToolHost } from '../../core/ports.ts'
import { errorText } from '../../core/errors/errors.ts'
import { answer } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import { defineTool } from '../define-tool.ts'
import { withoutSecretParts } from '../files/secret-parts.ts'
import type { BackgroundCommand, BackgroundCommands } from '../shell/background/background-commands.ts'
import type { Shell } from '../shell/shell.ts'
import { backgroundText } from './answer-texts.ts'
import { describeEnd } from './command-end.ts'

/** Max bytes read per call: what an answer does not show is stored behind a ref. */
const maxBytes = 65_536

const timeNote = 'Killed at its timeout: start it again with a larger timeout_ms, or let it do less.'

export function safeOutput(commands: BackgroundCommands, shell: Shell): Tool {
  const tool = defineTool({
    name: 'safe_output',
    description: 'Reads new output and the status of a background command, from a byte offset on if given.',
    input: z.object({ id: z.string(), since: z.int().min(0).optional() }),
    needs: ['shell:exec'],
    renderText: backgroundText,
    annotations: { readOnlyHint: true },
    async run({ id, since }, host) {
      const command = commands.find(host.call, id)
      return answer(await report(command, since, { host, shell }))
    },
  })
  return Object.assign(tool, { isUseful: ({ session }: { session: string }) => commands.isUsedIn(session) })
}

export function safeStop(commands: BackgroundCommands): Tool {
  const tool = defineTool({
    name: 'safe_stop',
    description: 'Ends a background command and everything it started.',
    input: z.object({ id: z.string() }),
    needs: ['shell:exec'],
    annotations: { destructiveHint: true, openWorldHint: false },
    async run({ id }, { call }) {
      const command = commands.find(call, id)
      await command.stop()
      return answer({ status: command.state().status })
    },
  })
  return Object.assign(tool, { isUseful: ({ session }: { session: string }) => commands.isUsedIn(session) })
}

async function report(
  command: BackgroundCommand,
  since: number | undefined,
  { host, shell }: { host: ToolHost; shell: Shell },
): Promise<JsonObject> {
  const state = command.state()
  const wanted = since ?? command.readTo
  const { from, next, end, text, around } = command.output.read(wanted, maxBytes)
  command.readTo = next
  const shown = around === text ? text : await withoutSecretParts(text, around, host.scrub)
  return {
    status: state.status,
    ...(state.status === 'exited' &&
      describeEnd(state.ended, shell.workspaceOf(host.call.project), shell.limits, timeNote)),
    ...(state.status === 'stopped' && state.reason !== undefined && { note: state.reason }),
    ...(state.status === 'failed' && { error: errorText(state.error) }),
    ...(from > wanted && { dropped: from - wanted }),
    next,
    ...(next < end && { more: end - next }),
    output: shown,
  }
}
