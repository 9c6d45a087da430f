/** `ctxd secret`: registered secrets. Values go in and never come out. */

import { InvalidArgumentError, type Command } from 'commander'

import type { Records } from '../../compose.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import { askHidden, requireOperator } from '@contextd/shared/operator'
import type { SecretChoice, SecretRecord } from '../../stages/scrub/secret-store.ts'
import { readInput } from '@contextd/shared/cli/bytes'
import {
  newCommand,
  newGroup,
  printJson,
  printLine,
  printTable,
  processIo,
  type CliIo,
  type JsonOption,
} from '@contextd/shared/cli/output'
import { counted } from '@contextd/shared/text/counted'
import { wholeNumber } from '@contextd/shared/cli/whole-number'
import { withRecords } from '../support/with-runtime.ts'

/** `isPiped`: whether the value comes from stdin instead of being typed. */
export function secretCommand(
  io: CliIo = processIo(),
  isPiped: () => boolean = () => !process.stdin.isTTY,
): Command {
  return newGroup('secret', 'manage known secrets', 'ctxd secret list')
    .addCommand(
      newCommand('list', 'list secrets, never their values', 'ctxd secret list').action(
        (options: JsonOption) => list(options, io),
      ),
    )
    .addCommand(
      newCommand(
        'set',
        'register a secret to mask everywhere; hidden prompt or stdin',
        'ctxd secret set deploy-key < key.txt',
      )
        .argument('<name>', 'its name', secretName)
        .option('--days <count>', 'forget it after this many days; never by default', days)
        .action((name: string, options: SetOptions) => set(name, options, io, isPiped())),
    )
    .addCommand(
      newCommand(
        'forget',
        'delete secrets; their tokens can no longer be revealed',
        'ctxd secret forget 3f0c2a5e6f3b',
      )
        .argument('[id...]', 'IDs shown by `list`')
        .option('--rule <rule>', 'all secrets found by this rule')
        .option('--all', 'all secrets')
        .action((ids: string[], options: ForgetOptions) => forget(ids, options, io)),
    )
}

interface SetOptions extends JsonOption {
  readonly days?: number
}

interface ForgetOptions extends JsonOption {
  readonly rule?: string
  readonly all?: true
}

function list({ json }: JsonOption, io: CliIo): Promise<void> {
  return withRecords(io, ({ secrets }) => {
    const known = secrets.list().map(toJson)
    if (json) return printJson({ secrets: known }, io)
    if (known.length === 0) return printLine('No secrets.', io)
    const rows = known.map(({ id, rule, first_seen, last_seen, sessions, length, expires_at = 'never' }) => [
      id,
      rule,
      first_seen.slice(0, dateLength),
      last_seen.slice(0, dateLength),
      String(sessions),
      String(length),
      expires_at.slice(0, dateLength),
    ])
    printTable(['ID', 'RULE', 'FIRST SEEN', 'LAST SEEN', 'SESSIONS', 'LENGTH', 'EXPIRES'], rows, io)
  })
}

/** `2026-11-15`: the line must also fit an ID to copy. */
const dateLength = 10

interface SecretJson {
  readonly id: string
  readonly kind: SecretRecord['kind']
  readonly rule: string
  readonly first_seen: string
  readonly last_seen: string
  readonly expires_at?: string
  readonly length: number
  readonly sessions: number
}

function toJson({
  id,
  kind,
  rule,
  createdAt,
  seenAt,
  expiresAt,
  length,
  sessions,
}: SecretRecord): SecretJson {
  const date = (time: number): string => new Date(time).toISOString()
  return {
    id,
    kind,
    rule,
    first_seen: date(createdAt),
    last_seen: date(seenAt),
    ...(expiresAt !== undefined && { expires_at: date(expiresAt) }),
    length,
    sessions,
  }
}

function set(name: string, { days, json }: SetOptions, io: CliIo, isPiped: boolean): Promise<void> {
  return withRecords(io, async ({ secrets, event }) => {
    const value = isPiped
      ? await pipedValue(name, secrets.refusePlain, io)
      : await askHidden({ ...io, prompt: `Value of ${name} (not shown)` })
    const id = secrets.set(name, value, days)
    event('secret-set', { id, name, ...(days !== undefined && { days }) })
    const values = secrets.list().filter(({ rule }) => rule === `set:${name}`).length
    if (json) return printJson({ id, name, values }, io)
    // A new value does not replace the first, which may still be in use somewhere.
    const valueCount = values > 1 ? ` ${name} has ${values} values now.` : ''
    printLine(`${name} is masked from now on (ID ${id}).${valueCount}`, io)
  })
}

/** Anything longer is a file, not a secret. */
const maxValueLength = 65_536

/** Piped input may come from an agent, so the user must approve it. */
async function pipedValue(name: string, refusePlain: (value: string) => void, io: CliIo): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of readInput('-', io)) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxValueLength) {
      throw new ContextdError('USAGE', { problem: `the value is longer than ${maxValueLength} bytes` })
    }
  }
  const value = Buffer.concat(chunks)
    .toString()
    .replace(/\r?\n$/, '')
  if (value === '') throw new ContextdError('USAGE', { problem: 'stdin is empty' })
  refusePlain(value)
  const length = counted(value.length, 'character')
  await requireOperator({ ...io, question: `Mask this value of ${length} in every session, as ${name}` })
  return value
}

/** Lines of a list that a user would still read. */
const maxShown = 20

function forget(ids: readonly string[], options: ForgetOptions, io: CliIo): Promise<void> {
  return withRecords(io, async ({ secrets, event }) => {
    const choices = choicesOf(ids, options)
    const known = secrets.list()
    const isThere = (choice: SecretChoice): boolean => known.some((secret) => isMeant(secret, choice))
    if (!choices.every(isThere)) {
      throw new ContextdError('NOT_FOUND', {
        what: `secret ${ids.find((id) => !known.some((secret) => secret.id === id)) ?? options.rule}`,
        hint: '`ctxd secret list` shows the IDs.',
      })
    }
    const chosen = known.filter((secret) => choices.some((choice) => isMeant(secret, choice)))
    const shown = chosen.slice(0, maxShown).map(({ id, rule, seenAt }) => {
      return `  ${id}  ${rule}  last seen ${new Date(seenAt).toISOString()}`
    })
    const more = chosen.length > maxShown ? [`  and ${chosen.length - maxShown} more`] : []
    await requireOperator({
      ...io,
      details: [...shown, ...more],
      question: `Forget ${counted(chosen.length, 'secret')}`,
    })
    event('secret-forgotten', { ids: chosen.slice(0, 100).map(({ id }) => id), count: chosen.length })
    forgetAll(secrets, choices)
    if (options.json) printJson({ forgotten: chosen.length }, io)
    else printLine(`Forgotten: ${counted(chosen.length, 'secret')}.`, io)
  })
}

function forgetAll(secrets: Records['secrets'], choices: readonly SecretChoice[]): void {
  for (const choice of choices) secrets.forget(choice)
}

function choicesOf(ids: readonly string[], { rule, all }: ForgetOptions): SecretChoice[] {
  const selectors = [ids.length > 0, rule !== undefined, all === true].filter(Boolean)
  if (selectors.length !== 1) {
    throw new ContextdError('USAGE', { problem: 'choose secrets: IDs shown by `list`, --rule, or --all' })
  }
  if (all) return [{ all }]
  return rule === undefined ? ids.map((id) => ({ id })) : [{ rule }]
}

function isMeant({ id, rule }: SecretRecord, choice: SecretChoice): boolean {
  if ('id' in choice) return choice.id === id
  return 'all' in choice || choice.rule === rule
}

function secretName(text: string): string {
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(text))
    throw new InvalidArgumentError('It must be 1 to 64 letters, digits, "_", "." or "-".')
  return text
}

const days = wholeNumber(1, 3650)
