/** The command `detect`: inspects secret detection. */

import type { Command } from 'commander'

import { CommonError } from '@contextd/shared/errors/common-error'
import { createTextReader } from '@contextd/shared/text/lossless-text'
import type { TextExplanation } from '../explain/explain.ts'
import { readInput } from '@contextd/shared/cli/bytes'
import {
  newCommand,
  newGroup,
  note,
  paint,
  printJson,
  printLine,
  printTable,
  processIo,
  type CliIo,
  type JsonOption,
} from '@contextd/shared/cli/output'
import { counted } from '@contextd/shared/text/counted'
import type { OpenedScrubber, ScrubHost } from './host.ts'

interface Options extends JsonOption {
  readonly decode: boolean
  readonly config?: string
}

const scope = { tenant: 'local', session: 'cli' }

export function createDetectCommand(host: ScrubHost, io: CliIo = processIo()): Command {
  return newGroup('detect', 'inspect and test secret detection', `${host.program} explain -`)
    .addCommand(
      newCommand('list', 'list active rules and their sources', `${host.program} list --json`)
        .option('--config <file>', 'additional rules in gitleaks format')
        .action((options: Omit<Options, 'decode'>) => listRules({ ...options, decode: true }, host, io)),
    )
    .addCommand(
      onText(
        newCommand(
          'test',
          'print the secrets in a text, masked; exits with 1 if there are any',
          `${host.program} test - < app.log`,
        ),
      ).action((text: string, options: Options) => testText(text, options, host, io)),
    )
    .addCommand(
      onText(
        newCommand(
          'explain',
          'explain why parts of a text were detected as secrets, or not',
          `${host.program} explain "api_key = changeme"`,
        ),
      ).action((text: string, options: Options) => explain(text, options, host, io)),
    )
}

function onText(command: Command): Command {
  return command
    .argument('<text>', 'the text, or - for stdin; other users can read command-line arguments')
    .option('--no-decode', 'do not detect encoded secrets (base64, hex and similar)')
    .option('--config <file>', 'additional rules in gitleaks format')
}

async function open({ decode, config }: Options, host: ScrubHost, io: CliIo): Promise<OpenedScrubber> {
  const opened = await host.openScrubber({
    env: io.env,
    cwd: io.cwd,
    decode,
    ...(config !== undefined && { rulesFile: config }),
  })
  for (const warning of opened.warnings) note(warning, io)
  if (opened.ignored !== undefined) note(`${opened.ignored.file} ${opened.ignored.why}`, io)
  return opened
}

async function listRules(options: Options, host: ScrubHost, io: CliIo): Promise<void> {
  const { builtinSecretRules } = await import('../find/rule-list.ts')
  const { rules: own } = await open(options, host, io)
  const builtin = builtinSecretRules().filter(({ id }) => own?.disabled.has(id) !== true)
  const rules = [
    ...(own?.list ?? []).map((rule) => withSource(rule, `${rule.file}:${rule.line}`)),
    ...builtin.map((rule) => withSource(rule, 'built-in')),
  ]
  if (options.json) return printJson({ rules }, io)
  const rows = rules.map(({ id, from, description, keywords }) => [id, from, description, keywords.join(' ')])
  printTable(['RULE', 'SOURCE', 'DESCRIPTION', 'KEYWORDS'], rows, io)
}

interface RuleRow {
  readonly id: string
  readonly description: string
  readonly keywords: readonly string[]
}

function withSource(
  { id, description, keywords }: RuleRow,
  from: string,
): RuleRow & { readonly from: string } {
  return { id, from, description, keywords }
}

/** Longer texts should use `scan`. */
const maxCharacters = 1 << 16

async function readText(argument: string, io: CliIo): Promise<string> {
  const reader = createTextReader()
  let text = argument === '-' ? '' : argument
  if (argument === '-') {
    for await (const bytes of readInput('-', io)) {
      text += reader.read(bytes)
      if (text.length > maxCharacters) break
    }
    text += reader.end()
  }
  if (text.length <= maxCharacters) return text
  throw new CommonError('USAGE', {
    problem: `the text is longer than ${maxCharacters} characters`,
    hint: 'Shorten it, or use the commands `scrub` and `scan`.',
  })
}

async function testText(argument: string, options: Options, host: ScrubHost, io: CliIo): Promise<void> {
  const { maskSecret } = await import('../explain/explain.ts')
  const { scrubber } = await open(options, host, io)
  const text = await readText(argument, io)
  const findings = scrubber.scrub(text, scope).findings.map(({ rule, start, end }) => ({
    rule,
    start,
    end,
    length: end - start,
    masked: maskSecret(text.slice(start, end)),
  }))
  if (findings.length > 0) io.setExitCode(1)
  if (options.json) return printJson({ findings }, io)
  if (findings.length === 0) return printLine('No secrets found.', io)
  const rows = findings.map(({ rule, start, end, length, masked }) => [
    rule,
    String(start),
    String(end),
    String(length),
    masked,
  ])
  printTable(['RULE', 'START', 'END', 'LENGTH', 'SECRET'], rows, io)
}

async function explain(argument: string, options: Options, host: ScrubHost, io: CliIo): Promise<void> {
  const { explainDetection } = await import('../explain/explain.ts')
  const { scrubber, rules: own } = await open(options, host, io)
  const text = await readText(argument, io)
  const { findings: found } = scrubber.scrub(text, scope)
  const explanation = explainDetection(text, { found, decode: options.decode, ...(own && { own }) })
  if (options.json) printJson(explanation, io)
  else printExplanation(explanation, io)
}

const detectedBy: Readonly<Record<TextExplanation['findings'][number]['by'], string>> = {
  prefix: 'its prefix',
  shape: 'its format',
  name: 'its format and the name before it',
  assignment: 'the name it is assigned to',
  header: 'the header it is in',
  'key block': 'a key marker',
  address: 'its position in a URL',
  'kubernetes secret': 'the object it is in',
  'own rule': 'your own rule',
  'known value': 'its value, found elsewhere in the text',
}

/** Maximum number of ignored matches to print. */
const maxShown = 50

function printExplanation({ findings, misses }: TextExplanation, io: CliIo): void {
  if (findings.length === 0) printLine('No secrets found.', io)
  for (const { rule, description, start, end, masked, by, keyword, encodings } of findings) {
    io.stdout.write(`${paint(io, 'red', 'secret')} `)
    printLine(`${rule}: ${description}`, io)
    printLine(`  ${masked} (${counted(end - start, 'character')}, ${start} to ${end})`, io)
    const position = keyword?.start === undefined ? '' : ` at ${keyword.start}`
    const keywordText = keyword === undefined ? '' : `, keyword ${JSON.stringify(keyword.text)}${position}`
    printLine(`  detected by ${detectedBy[by]}${keywordText}`, io)
    if (encodings.length > 0) printLine(`  encoded in ${encodings.join(', inside that ')}`, io)
  }
  for (const { rules, keyword, at, detail, masked } of misses.slice(0, maxShown)) {
    const [first, ...more] = rules
    const others = more.length === 0 ? '' : ` and ${counted(more.length, 'other rule')}`
    io.stdout.write(`${paint(io, 'dim', 'ignored')} `)
    printLine(`${first}${others}, keyword ${JSON.stringify(keyword)} at ${at}`, io)
    printLine(`  ${masked === undefined ? '' : `${masked} `}${detail}`, io)
  }
  const left = misses.length - maxShown
  if (left > 0) printLine(`… and ${left} more ignored; --json lists all`, io)
}
