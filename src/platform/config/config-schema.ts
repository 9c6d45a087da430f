/** Every configuration key, its default, its limits and what it means. The reference and the JSON Schema follow from here. */

import * as z from 'zod'

import { modelApis, type ModelApi } from '../../core/model.ts'

const count = (fallback: number, least: number, most: number) =>
  z.int().min(least).max(most).default(fallback)

/** Names of providers that have a key of their own; `model.providers` is for others. */
const providerName = /^(?!(?:anthropic|openai|gemini)$)[a-z0-9-]{1,32}$/

/** What credentials may be sent to: nobody else can read it on its way. */
const providerUrl =
  /^(?:https:\/\/(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])|http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]))(?::\d{1,5})?(?:\/[^\s?#]*)?$/

/** Without credentials: settings are shown to whoever asks for them. */
const proxyUrl = /^(?:|none|https?:\/\/(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(?::\d{1,5})?\/?)$/

const providerAddress = () => z.string().regex(providerUrl)

export const configSchema = z
  .strictObject({
    http: z
      .strictObject({
        host: z.string().min(1).default('127.0.0.1').describe('Address the daemon listens on.'),
        port: count(7391, 0, 65_535).describe('Port of MCP over HTTP; 0 takes any free one.'),
        allowed_hosts: z
          .array(z.string().min(1))
          .default([])
          .describe('Host names the daemon answers to besides loopback.'),
        session_idle_minutes: count(30, 1, 10_080).describe('Idle time after which an HTTP session ends.'),
        tls: z
          .boolean()
          .default(false)
          .describe('Serve HTTPS with the certificate of `ctxd tls init`, for a server that others share.'),
      })
      .prefault({}),
    control: z
      .strictObject({
        host: z
          .string()
          .min(1)
          .default('127.0.0.1')
          .describe('Address of gRPC for other machines; opened once `ctxd tls init` was run.'),
        port: count(7392, 0, 65_535).describe('Port of gRPC with certificates; 0 takes any free one.'),
        message_bytes: count(4_194_304, 1024, 268_435_456).describe('Largest message of a gRPC caller.'),
        calls_per_minute: count(6000, 1, 1_000_000).describe('Calls one caller may make in a minute.'),
        calls_at_once: count(256, 1, 10_000).describe('Calls one caller may have open at once.'),
        autostart: z
          .boolean()
          .default(true)
          .describe(
            'Whether programs that need the daemon (`contextd-proxy`, clients behind the model door) may start it.',
          ),
      })
      .prefault({}),
    webhooks: z
      .strictObject({
        max_attempts: count(8, 1, 100).describe('Attempts to deliver an event before it is given up.'),
        timeout_ms: count(10_000, 100, 600_000).describe('Time an address has to answer.'),
        queue: count(10_000, 10, 1_000_000).describe(
          'Events that may wait for one address; the oldest is given up beyond.',
        ),
      })
      .prefault({}),
    limits: z
      .strictObject({
        message_bytes: count(4_194_304, 1024, 268_435_456).describe('Largest message a door accepts.'),
        call_timeout_ms: count(120_000, 100, 3_600_000).describe('Time after which a call is given up.'),
      })
      .prefault({}),
    budget: z
      .strictObject({
        answer_tokens: count(2000, 100, 100_000).describe('Tokens one answer may have before it is cut.'),
        tokenizer: z
          .enum(['estimate', 'o200k'])
          .default('estimate')
          .describe('How tokens are counted: our estimator, or exactly for o200k (needs gpt-tokenizer).'),
        ref_ttl_minutes: count(60, 1, 10_080).describe('How long the rest of a cut answer can be read.'),
      })
      .prefault({}),
    audit: z
      .strictObject({
        retention_days: count(30, 1, 3650).describe('Days a record is kept.'),
        durability: z
          .enum(['normal', 'full'])
          .default('normal')
          .describe('What a record survives: a killed process, or a power cut too (slower).'),
        output_chars: count(4000, 0, 1_000_000).describe(
          'Characters of each scrubbed output kept in its record.',
        ),
        vault: z.boolean().default(false).describe('Keep raw outputs, encrypted.'),
      })
      .prefault({}),
    scrub: z
      .strictObject({
        rules_file: z
          .string()
          .default('')
          .describe(
            'Your own rules in the format of gitleaks, on top of the built-in ones; below the configuration folder unless absolute.',
          ),
        allowlists: z
          .boolean()
          .default(false)
          .describe('Whether what unmasks in that file (allowlists, disabled rules) counts when scrubbing.'),
        deadline_ms: count(10_000, 100, 600_000).describe(
          'Time that checking one output may take before it is withheld.',
        ),
        forget_after_days: count(30, 1, 3650).describe(
          'Days after which a secret that was not seen again is forgotten.',
        ),
      })
      .prefault({}),
    sandbox: z
      .strictObject({
        mode: z
          .enum(['on', 'off'])
          .default('on')
          .describe(
            'Whether commands are confined; with off they run with all your rights, for machines that hold nothing else.',
          ),
        time_ms: count(30_000, 100, 3_600_000).describe(
          'Time a command may run where the call asks for no other.',
        ),
        cpu_seconds: count(120, 1, 86_400).describe('Processor time of a command and all it starts.'),
        memory_mb: count(512, 16, 1_048_576).describe('Memory of a command and all it starts.'),
        processes: count(128, 4, 65_536).describe('Processes and threads of a command at once.'),
        file_mb: count(256, 1, 1_048_576).describe('Largest file a command may write.'),
        output_kb: count(1024, 1, 262_144).describe('Output of a command after which it is ended.'),
        disk_mb: count(2048, 1, 16_777_216).describe(
          'By how much a command may fill the workspace; looked at every so often.',
        ),
        disk_files: count(65_536, 1, 100_000_000).describe(
          'How many files, folders and links a command may add to the workspace, or have in /tmp; looked at every so often.',
        ),
        env: z
          .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*(=.*)?$/s))
          .default([])
          .describe('Environment of commands: NAME passes your own value on, NAME=value sets one.'),
        readable: z
          .array(z.string().min(1))
          .default([])
          .describe('Toolchains outside /usr that commands may read and run; `ctxd doctor` suggests some.'),
        protect: z
          .array(z.string().min(1))
          .default([])
          .describe('Paths of the workspace that agents may not write, besides those that are never theirs.'),
      })
      .prefault({}),
    fetch: z
      .strictObject({
        time_ms: count(30_000, 100, 3_600_000).describe('Time one request to the web may take.'),
        response_kb: count(5120, 1, 1_048_576).describe('Largest response that is read.'),
      })
      .prefault({}),
    upstream: z
      .strictObject({
        transparent: z
          .boolean()
          .default(false)
          .describe('List the tools of MCP servers beside our own, as `<server>__<tool>`.'),
        on_change: z
          .enum(['hold', 'allow'])
          .default('hold')
          .describe(
            'What to do with a tool that is not the one that was pinned: hold it back, or let it pass.',
          ),
        connections: count(64, 1, 10_000).describe('Connections to MCP servers at once.'),
        idle_minutes: count(15, 1, 10_080).describe('Idle time after which a connection is closed.'),
        start_ms: count(30_000, 100, 600_000).describe('Time an MCP server may take to start.'),
        message_kb: count(16_384, 16, 262_144).describe('Largest message that is taken from an MCP server.'),
      })
      .prefault({}),
    client: z
      .strictObject({
        mode: z
          .enum(['friendly', 'strict'])
          .default('friendly')
          .describe(
            "What the hooks do with a client's own shell and file tools: friendly scrubs them, strict refuses them in favour of ours.",
          ),
        allow_protected: z
          .array(z.string().min(1))
          .default([])
          .describe(
            "Protected places that agents may write with a client's own tools, as the table of places has them.",
          ),
      })
      .prefault({}),
    model: z
      .strictObject({
        anthropic: providerAddress()
          .default('https://api.anthropic.com')
          .describe('Where the model door sends requests for `anthropic`.'),
        openai: providerAddress()
          .default('https://api.openai.com')
          .describe('Where the model door sends requests for `openai`.'),
        gemini: providerAddress()
          .default('https://generativelanguage.googleapis.com')
          .describe('Where the model door sends requests for `gemini`.'),
        providers: z
          .record(
            z.string().regex(providerName),
            z.strictObject({ url: providerAddress(), api: z.enum(modelApis) }),
          )
          .default({})
          .describe('Other providers by name: the address of each, and which API it speaks.'),
        proxy: z
          .string()
          .regex(proxyUrl)
          .default('')
          .describe(
            'Proxy on the way to providers, such as http://proxy.example:8080; empty for HTTPS_PROXY of the environment the daemon was started in, `none` for no proxy. NO_PROXY of that environment applies in any case, and this machine is never reached through a proxy.',
          ),
        request_bytes: count(33_554_432, 1024, 268_435_456).describe(
          'Largest request to a model, also after decompression.',
        ),
        timeout_ms: count(3_600_000, 1000, 86_400_000).describe(
          'Time a model may take to answer, up to the last byte.',
        ),
      })
      .prefault({}),
    memory: z
      .strictObject({
        embedder: z
          .enum(['embedded', 'openai', 'ollama', 'onnx', 'off'])
          .default('embedded')
          .describe(
            'What turns texts into vectors: our own table, a server of one of these kinds, a model file, or nothing (search by words only).',
          ),
        embedder_url: z
          .string()
          .default('')
          .describe('Address of that server, such as http://127.0.0.1:11434.'),
        embedder_model: z.string().default('').describe('Model that server is asked for.'),
        embedder_key: z
          .string()
          .default('')
          .describe('Name of the secret (`ctxd secret set`) that server wants as its key.'),
        embedder_file: z
          .string()
          .default('')
          .describe('Folder with model.onnx and vocab.txt, for the embedder onnx.'),
        vectors: z
          .enum(['sqlite', 'qdrant'])
          .default('sqlite')
          .describe('Where vectors are kept and compared.'),
        qdrant_url: z.string().default('http://127.0.0.1:6333').describe('Address of Qdrant.'),
        qdrant_key: z.string().default('').describe('Name of the secret that Qdrant wants as its key.'),
        at_start: count(2, 0, 5).describe('Memories a session is given for its task when it starts.'),
      })
      .prefault({}),
    checkpoint: z
      .strictObject({
        before_compact: z
          .boolean()
          .default(true)
          .describe('Save a checkpoint before the client compacts its context, and offer it afterwards.'),
      })
      .prefault({}),
    branch: z
      .strictObject({
        budget: count(8192, 256, 32_768).describe(
          'Tokens a branch may be given where it asks for no other number.',
        ),
        depth: count(3, 1, 10).describe('Branches inside branches.'),
        open: count(10, 1, 100).describe('Open branches of one session.'),
        minutes: count(30, 1, 1440).describe('Time after which a branch is closed.'),
      })
      .prefault({}),
    index: z
      .strictObject({
        file_kb: count(1024, 1, 65_536).describe('Largest file that is indexed.'),
        watch: z.boolean().default(true).describe('Keep indexed repositories current while the daemon runs.'),
      })
      .prefault({}),
    log: z
      .strictObject({
        level: z
          .enum(['debug', 'info', 'warn', 'error'])
          .default('info')
          .describe('Least important line that is logged.'),
      })
      .prefault({}),
    workspace: z
      .strictObject({
        path: z
          .string()
          .default('')
          .describe(
            'Folder for callers that bring none, such as HTTP; empty for the one the daemon was started in.',
          ),
      })
      .prefault({}),
  })
  .meta({ title: 'contextd configuration' })

export type Config = z.output<typeof configSchema>
export type ConfigKey = { [S in keyof Config]: `${S}.${keyof Config[S] & string}` }[keyof Config]
export type ConfigValue = string | number | boolean | readonly string[] | ProviderTable
export type ProviderTable = Readonly<Record<string, { readonly url: string; readonly api: ModelApi }>>

/**
 * What a project may set for itself. All else concerns every project of this user, or what keeps an agent in
 * bounds (where the daemon listens, what is audited, how long a call may run), and stays with the user.
 */
export const projectKeys: readonly ConfigKey[] = [
  'budget.answer_tokens',
  'budget.tokenizer',
  'budget.ref_ttl_minutes',
  'log.level',
]

export interface ConfigSetting {
  readonly key: ConfigKey
  readonly default: ConfigValue
  readonly description: string
  /** In words, for messages: `a whole number from 0 to 65535`. */
  readonly expected: string
  readonly type: 'string' | 'integer' | 'boolean' | 'array' | 'object'
}

export function configJsonSchema(): z.core.JSONSchema.JSONSchema {
  return z.toJSONSchema(configSchema, { io: 'input' })
}

let known: ReadonlyMap<string, ConfigSetting> | undefined

/** Every key in the order of the schema. */
export function settings(): ReadonlyMap<string, ConfigSetting> {
  known ??= new Map(
    Object.entries(configJsonSchema().properties ?? {}).flatMap(([section, table]) =>
      Object.entries((table as JsonSchema).properties ?? {}).map(([name, schema]) => {
        const setting = describeSetting(`${section}.${name}` as ConfigKey, schema as JsonSchema)
        return [setting.key, setting] as const
      }),
    ),
  )
  return known
}

type JsonSchema = z.core.JSONSchema.JSONSchema

function describeSetting(key: ConfigKey, schema: JsonSchema): ConfigSetting {
  return {
    key,
    default: schema.default as ConfigValue,
    description: schema.description ?? '',
    expected: expectation(schema),
    type: schema.type as ConfigSetting['type'],
  }
}

function expectation(schema: JsonSchema): string {
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`
  if (schema.type === 'integer') return `a whole number from ${schema.minimum} to ${schema.maximum}`
  if (schema.type === 'boolean') return 'true or false'
  if (schema.type === 'array') return 'a list of texts'
  if (schema.type === 'object') return 'tables like [model.providers.local] with url and api'
  if (schema.pattern === providerUrl.source) return 'an https address, or http to this machine'
  if (schema.pattern === proxyUrl.source)
    return 'empty, none, or an http or https address without credentials (put those in HTTPS_PROXY)'
  return schema.minLength === undefined ? 'a text' : 'a text that is not empty'
}

export function readSetting(config: Config, key: ConfigKey): ConfigValue {
  const [section, name] = key.split('.') as [keyof Config, string]
  return (config[section] as Record<string, ConfigValue>)[name] as ConfigValue
}
