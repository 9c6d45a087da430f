/** `ctxd webhooks`: manages webhooks. The daemon delivers the events. */

import { randomUUID } from 'node:crypto'

import { InvalidArgumentError, type Command } from 'commander'

import type { Records } from '../../compose.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import { loadConfig } from '../../platform/config/load-config.ts'
import { nearest } from '@contextd/shared/text/nearest'
import { refuseInsideAgent, requireOperator } from '@contextd/shared/operator'
import { resolvePaths } from '../../platform/files/paths.ts'
import type { Delivery } from '../../servers/webhooks/delivery-queue.ts'
import { isWebhookEvent, webhookEvents, type WebhookEvent } from '../../servers/webhooks/events.ts'
import type { Webhooks } from '../../servers/webhooks/open-webhooks.ts'
import type { Webhook } from '../../servers/webhooks/webhook-book.ts'
import {
  minuteOf,
  newCommand,
  newGroup,
  note,
  printJson,
  printLine,
  printTable,
  processIo,
  type CliIo,
  type JsonOption,
} from '@contextd/shared/cli/output'
import { counted } from '@contextd/shared/text/counted'
import { withRecords } from '../support/with-runtime.ts'

export function webhooksCommand(io: CliIo = processIo()): Command {
  return newGroup('webhooks', 'send events to other programs', 'ctxd webhooks list')
    .addCommand(
      newCommand('list', 'list webhooks and their pending events', 'ctxd webhooks list').action(
        (options: JsonOption) => list(options, io),
      ),
    )
    .addCommand(
      newCommand(
        'add',
        'send future events to a URL; shows the signing secret once',
        'ctxd webhooks add https://hooks.example.com/contextd --events refusal,server-down',
      )
        .argument('<url>', 'https, or http on this machine')
        .option('--events <names>', `any of ${webhookEvents.join(', ')}; all by default`, eventNames)
        .action((url: string, options: AddOptions) => add(url, options, io)),
    )
    .addCommand(
      newCommand('remove', 'stop sending events to a URL', 'ctxd webhooks remove 3f0c2a5e6f3b')
        .argument('<id>', 'ID shown by `list`')
        .action((id: string, options: JsonOption) => remove(id, options, io)),
    )
    .addCommand(
      newCommand(
        'test',
        'send the event `test` now and print the response',
        'ctxd webhooks test 3f0c2a5e6f3b',
      )
        .argument('<id>', 'ID shown by `list`')
        .action((id: string, options: JsonOption) => test(id, options, io)),
    )
    .addCommand(
      newCommand('dead', 'list events whose delivery failed permanently', 'ctxd webhooks dead --retry all')
        .option('--retry <id>', 'retry this event, or `all`')
        .action((options: DeadOptions) => dead(options, io)),
    )
}

interface AddOptions extends JsonOption {
  readonly events?: readonly WebhookEvent[]
}

interface DeadOptions extends JsonOption {
  readonly retry?: string
}

function eventNames(text: string): WebhookEvent[] {
  const names = text.split(/[\s,]+/).filter((name) => name !== '')
  const events = names.filter(isWebhookEvent)
  const wrong = names.find((name) => !isWebhookEvent(name))
  if (wrong !== undefined || events.length === 0) {
    const near = wrong === undefined ? undefined : nearest(wrong, webhookEvents)
    const meant = near === undefined ? '' : ` Did you mean ${near}?`
    throw new InvalidArgumentError(`Known events: ${webhookEvents.join(', ')}.${meant}`)
  }
  return [...new Set(events)]
}

type Counts = ReturnType<Webhooks['queue']['counts']>

interface Desk extends Webhooks {
  readonly event: Records['event']
  readonly timeoutMs: number
}

function withWebhooks<T>(io: CliIo, work: (desk: Desk) => T | Promise<T>): Promise<T> {
  return withRecords(io, async ({ store, event }) => {
    const { openWebhooks } = await import('../../servers/webhooks/open-webhooks.ts')
    const paths = resolvePaths(io.env)
    const { webhooks } = loadConfig({ userFile: paths.configFile, isTrusted: () => false }).config
    const opened = openWebhooks(store, { keysDir: paths.keys, maxPerWebhook: webhooks.queue })
    return work({ ...opened, event, timeoutMs: webhooks.timeout_ms })
  })
}

function known({ book }: Desk, id: string): Webhook {
  const webhook = book.find(id)
  if (webhook !== undefined) return webhook
  throw new ContextdError('NOT_FOUND', {
    what: `webhook ${id}`,
    hint: '`ctxd webhooks list` shows them.',
  })
}

function list({ json }: JsonOption, io: CliIo): Promise<void> {
  return withWebhooks(io, ({ book, queue }) => {
    const webhooks = book.list().map((webhook) => describe(webhook, queue.counts(webhook.id)))
    if (json) return printJson({ webhooks }, io)
    if (webhooks.length === 0) return printLine('No webhooks.', io)
    const rows = webhooks.map(({ id, address, events, state, waiting, dead: lost }) => [
      id,
      state,
      String(waiting),
      String(lost),
      address,
      events.length === webhookEvents.length ? 'all' : events.join(' '),
    ])
    printTable(['ID', 'STATE', 'WAITING', 'DEAD', 'ADDRESS', 'EVENTS'], rows, io)
    for (const { id, why, since } of webhooks) {
      if (why !== undefined)
        note(`${id} is disabled since ${minuteOf(since ?? '')}: ${why}. Remove it, or add it again.`, io)
    }
  })
}

function describe({ id, origin, events, createdAt, disabled }: Webhook, counts: Counts) {
  return {
    id,
    address: shown(origin),
    events,
    state: disabled === undefined ? 'on' : 'off',
    ...(disabled && { why: disabled.why, since: timeOf(disabled.at) }),
    ...counts,
    created_at: timeOf(createdAt),
  }
}

/** Path and query of a URL often contain its credential. */
function shown(origin: string): string {
  return `${origin}/…`
}

function timeOf(time: number): string {
  return new Date(time).toISOString()
}

function add(url: string, { events = webhookEvents, json }: AddOptions, io: CliIo): Promise<void> {
  return withWebhooks(io, async ({ book, event }) => {
    const { readEndpoint } = await import('../../servers/webhooks/endpoint.ts')
    const target = readEndpoint(url)
    if (typeof target === 'string') throw new ContextdError('WEBHOOK_REFUSED', { problem: target })
    await requireOperator({
      ...io,
      details: [`  ${target.url}`, ...events.map((name) => `  ${name}`)],
      question: 'Send events to this URL, without contents',
    })
    const { webhook, secret } = book.add(url, events)
    const { id, origin } = webhook
    event('webhook-added', { webhook: id, origin, events: [...events] })
    if (json) return printJson({ id, address: shown(origin), events, secret }, io)
    printLine(`${id} receives events from now on, while the daemon runs.`, io)
    printLine('Its requests are signed with this secret, shown only once:', io)
    printLine(secret, io)
  })
}

function remove(id: string, { json }: JsonOption, io: CliIo): Promise<void> {
  return withWebhooks(io, async (desk) => {
    const { origin } = known(desk, id)
    const { waiting, dead: lost } = desk.queue.counts(id)
    await requireOperator({
      ...io,
      details: [`  ${shown(origin)}`, `  ${counted(waiting + lost, 'event')} not delivered yet`],
      question: `Remove webhook ${id}`,
    })
    desk.event('webhook-removed', { webhook: id, origin })
    desk.book.remove(id)
    if (json) printJson({ removed: id }, io)
    else printLine(`${id} is removed.`, io)
  })
}

function test(id: string, { json }: JsonOption, io: CliIo): Promise<void> {
  refuseInsideAgent(io.env)
  return withWebhooks(io, async (desk) => {
    known(desk, id)
    const [{ createPost }, { deliver }] = await Promise.all([
      import('../../servers/webhooks/post.ts'),
      import('../../servers/webhooks/deliver.ts'),
    ])
    const message = { id: randomUUID(), event: 'test' }
    const body = JSON.stringify({ ...message, at: timeOf(Date.now()) })
    const post = createPost({ timeoutMs: desk.timeoutMs })
    const outcome = await deliver({ ...message, body }, desk.book.targetOf(id), { post, clock: Date.now })
    if (outcome.kind !== 'taken') {
      const problem = outcome.kind === 'cancelled' ? 'it was cancelled' : outcome.problem
      throw new ContextdError('WEBHOOK_FAILED', { problem, webhook: id })
    }
    if (json) printJson({ id: message.id, webhook: id, status: outcome.status }, io)
    else printLine(`Response status: ${outcome.status}.`, io)
  })
}

/** Lines that a user would still read. */
const maxShown = 100

function dead({ retry, json }: DeadOptions, io: CliIo): Promise<void> {
  return withWebhooks(io, (desk) => {
    if (retry !== undefined) return revive(retry, desk, { json: json === true }, io)
    const total = desk.queue.counts().dead
    const deliveries = desk.queue.dead(maxShown).map(toJson)
    if (json) return printJson({ total, deliveries }, io)
    if (total === 0) return printLine('No failed deliveries.', io)
    const rows = deliveries.map(({ id, webhook, event, given_up_at, attempts, problem }) => [
      id,
      webhook,
      event,
      minuteOf(given_up_at),
      String(attempts),
      problem,
    ])
    printTable(['ID', 'WEBHOOK', 'EVENT', 'FAILED', 'ATTEMPTS', 'PROBLEM'], rows, io)
    if (total > deliveries.length) note(`not shown: ${counted(total - deliveries.length, 'older event')}`, io)
  })
}

function toJson({ id, webhook, event, attempts, problem = '', createdAt, endedAt = createdAt }: Delivery) {
  return {
    id,
    webhook,
    event,
    attempts,
    problem,
    created_at: timeOf(createdAt),
    given_up_at: timeOf(endedAt),
  }
}

function revive(which: string, { book, queue, event }: Desk, { json }: { json: boolean }, io: CliIo): void {
  refuseInsideAgent(io.env)
  const isOn = ({ webhook }: Delivery): boolean => book.find(webhook)?.disabled === undefined
  const chosen = queue.dead().filter(({ id }) => which === 'all' || id === which)
  if (which !== 'all' && chosen.length === 0) {
    throw new ContextdError('NOT_FOUND', {
      what: `failed event ${which}`,
      hint: '`ctxd webhooks dead` shows them.',
    })
  }
  const retried = chosen.filter(isOn).filter(({ id }) => queue.revive(id)).length
  if (retried > 0) event('webhook-retried', { count: retried })
  if (retried < chosen.length) {
    note(`not retried, because the webhook is disabled: ${counted(chosen.length - retried, 'event')}`, io)
  }
  if (json) printJson({ retried }, io)
  else printLine(`To be retried while the daemon runs: ${counted(retried, 'event')}.`, io)
}
