/** `ctxd webhooks`: programs that are told what happens. The daemon tells them; these commands keep the list. */

import { randomUUID } from 'node:crypto'

import { InvalidArgumentError, type Command } from 'commander'

import type { Records } from '../../compose.ts'
import { ContextdError } from '../../core/errors.ts'
import { loadConfig } from '../../platform/config/load-config.ts'
import { nearest } from '../../platform/nearest.ts'
import { refuseInsideAgent, requireOperator } from '../../platform/operator.ts'
import { resolvePaths } from '../../platform/paths.ts'
import type { Delivery } from '../../servers/webhooks/delivery-queue.ts'
import { isWebhookEvent, webhookEvents, type WebhookEvent } from '../../servers/webhooks/events.ts'
import type { Webhooks } from '../../servers/webhooks/open-webhooks.ts'
import type { Webhook } from '../../servers/webhooks/webhook-book.ts'
import {
  counted,
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
} from '../ui/output.ts'
import { withRecords } from '../with-runtime.ts'

export function webhooksCommand(io: CliIo = processIo()): Command {
  return newGroup('webhooks', 'programs that are told what happens', 'ctxd webhooks list')
    .addCommand(
      newCommand('list', 'the addresses, and what waits for them', 'ctxd webhooks list').action(
        (options: JsonOption) => list(options, io),
      ),
    )
    .addCommand(
      newCommand(
        'add',
        'tell an address what happens from now on; shows once what it is signed with',
        'ctxd webhooks add https://hooks.example.com/contextd --events refusal,server-down',
      )
        .argument('<url>', 'https, or http on this machine')
        .option('--events <names>', `any of ${webhookEvents.join(', ')}; all of them otherwise`, eventNames)
        .action((url: string, options: AddOptions) => add(url, options, io)),
    )
    .addCommand(
      newCommand('remove', 'tell an address nothing any more', 'ctxd webhooks remove 3f0c2a5e6f3b')
        .argument('<id>', 'as `list` shows it')
        .action((id: string, options: JsonOption) => remove(id, options, io)),
    )
    .addCommand(
      newCommand(
        'test',
        'send the event `test` now and say what came back',
        'ctxd webhooks test 3f0c2a5e6f3b',
      )
        .argument('<id>', 'as `list` shows it')
        .action((id: string, options: JsonOption) => test(id, options, io)),
    )
    .addCommand(
      newCommand(
        'dead',
        'events that could not be delivered and were given up',
        'ctxd webhooks dead --retry all',
      )
        .option('--retry <id>', 'try this one again, or `all`')
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
    throw new InvalidArgumentError(`There are ${webhookEvents.join(', ')}.${meant}`)
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
    const opened = openWebhooks(store, { keysDir: paths.keys, most: webhooks.queue })
    return work({ ...opened, event, timeoutMs: webhooks.timeout_ms })
  })
}

function known({ book }: Desk, id: string): Webhook {
  const webhook = book.find(id)
  if (webhook !== undefined) return webhook
  throw new ContextdError('NOT_FOUND', { what: 'such webhook', hint: '`ctxd webhooks list` has them.' })
}

function list({ json }: JsonOption, io: CliIo): Promise<void> {
  return withWebhooks(io, ({ book, queue }) => {
    const webhooks = book.list().map((webhook) => describe(webhook, queue.counts(webhook.id)))
    if (json) return printJson({ webhooks }, io)
    if (webhooks.length === 0) return printLine('Nobody is told anything.', io)
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
        note(`${id} is off since ${minuteOf(since ?? '')}: ${why}. Remove it, or add it anew.`, io)
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

/** Path and query of an address are often what keeps others from using it. */
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
      question: 'Send what happens to this address, without contents',
    })
    const { webhook, secret } = book.add(url, events)
    const { id, origin } = webhook
    event('webhook-added', { webhook: id, origin, events: [...events] })
    if (json) return printJson({ id, address: shown(origin), events, secret }, io)
    printLine(`${id} is told from now on, while the daemon runs.`, io)
    printLine('Its requests are signed with this secret, which is shown only now:', io)
    printLine(secret, io)
  })
}

function remove(id: string, { json }: JsonOption, io: CliIo): Promise<void> {
  return withWebhooks(io, async (desk) => {
    const { origin } = known(desk, id)
    const { waiting, dead: lost } = desk.queue.counts(id)
    await requireOperator({
      ...io,
      details: [`  ${shown(origin)}`, `  ${counted(waiting + lost, 'event')} that it was not told yet`],
      question: `Remove webhook ${id}`,
    })
    desk.event('webhook-removed', { webhook: id, origin })
    desk.book.remove(id)
    if (json) printJson({ removed: id }, io)
    else printLine(`${id} is told nothing any more.`, io)
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
    else printLine(`It answered ${outcome.status}.`, io)
  })
}

/** Lines that a person would still read. */
const maxShown = 100

function dead({ retry, json }: DeadOptions, io: CliIo): Promise<void> {
  return withWebhooks(io, (desk) => {
    if (retry !== undefined) return revive(retry, desk, { json: json === true }, io)
    const total = desk.queue.counts().dead
    const deliveries = desk.queue.dead(maxShown).map(toJson)
    if (json) return printJson({ total, deliveries }, io)
    if (total === 0) return printLine('Everything was delivered, or still waits.', io)
    const rows = deliveries.map(({ id, webhook, event, given_up_at, attempts, problem }) => [
      id,
      webhook,
      event,
      minuteOf(given_up_at),
      String(attempts),
      problem,
    ])
    printTable(['ID', 'WEBHOOK', 'EVENT', 'GIVEN UP', 'ATTEMPTS', 'PROBLEM'], rows, io)
    if (total > deliveries.length) note(`${total - deliveries.length} older ones are not shown`, io)
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
    throw new ContextdError('NOT_FOUND', { what: 'such event', hint: '`ctxd webhooks dead` has them.' })
  }
  const retried = chosen.filter(isOn).filter(({ id }) => queue.revive(id)).length
  if (retried > 0) event('webhook-retried', { count: retried })
  if (retried < chosen.length) {
    note(`not tried again, because the address is off: ${counted(chosen.length - retried, 'event')}`, io)
  }
  if (json) printJson({ retried }, io)
  else printLine(`Tried again while the daemon runs: ${counted(retried, 'event')}.`, io)
}
