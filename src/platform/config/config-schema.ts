/** Every configuration key with its default, limits and meaning. Source of the reference and the JSON Schema. */

import * as z from 'zod'

import { modelApis, type ModelApi } from '../../core/model.ts'

const count = (fallback: number, min: number, max: number) => z.int().min(min).max(max).default(fallback)

/** Excludes providers that have their own key; `model.providers` is for others. */
const providerName = /^(?!(?:anthropic|openai|gemini)$)[a-z0-9-]{1,32}$/

/** Where credentials may be sent: only over connections that no one can eavesdrop on. */
const providerUrl =
  /^(?:https:\/\/(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])|http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]))(?::\d{1,5})?(?:\/[^\s?#]*)?$/

/** What `providerUrl` accepts, for messages. */
export const providerUrlRule = 'an https address, or http to this machine, without credentials, `?` and `#`'

/** Without credentials: settings are readable by any caller. */
const proxyUrl = /^(?:|none|https?:\/\/(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(?::\d{1,5})?\/?)$/

const providerAddress = () => z.string().regex(providerUrl)

export const configSchema = z
  .strictObject({
    http: z
      .strictObject({
        host: z.string().min(1).default('127.0.0.1').describe('Address the daemon listens on.'),
        port: count(7391, 0, 65_535).describe('Port of MCP over HTTP; 0 picks a free one.'),
        allowed_hosts: z
          .array(z.string().min(1))
          .default([])
          .describe('Host names the daemon accepts besides loopback.'),
        session_idle_minutes: count(30, 1, 10_080).describe('Idle time after which an HTTP session ends.'),
        tls: z
          .boolean()
          .default(false)
          .describe('Serve HTTPS with the certificate from `ctxd tls init`, for a shared server.'),
      })
      .prefault({}),
    control: z
      .strictObject({
        host: z
          .string()
          .min(1)
          .default('127.0.0.1')
          .describe('Address of gRPC for other machines; opened after `ctxd tls init`.'),
        port: count(7392, 0, 65_535).describe('Port of gRPC with certificates; 0 picks a free one.'),
        message_bytes: count(4_194_304, 1024, 268_435_456).describe('Max size of a gRPC message.'),
        calls_per_minute: count(6000, 1, 1_000_000).describe('Max calls per minute and caller.'),
        calls_at_once: count(256, 1, 10_000).describe('Max concurrent calls per caller.'),
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
        max_attempts: count(8, 1, 100).describe('Max delivery attempts per event.'),
        timeout_ms: count(10_000, 100, 600_000).describe('Timeout of one delivery.'),
        queue: count(10_000, 10, 1_000_000).describe(
          'Max events queued per address; beyond that the oldest is dropped.',
        ),
      })
      .prefault({}),
    limits: z
      .strictObject({
        message_bytes: count(4_194_304, 1024, 268_435_456).describe('Max size of a message to contextd.'),
        call_timeout_ms: count(120_000, 100, 3_600_000).describe(
          'Timeout of a call, except for the time of a command.',
        ),
      })
      .prefault({}),
    budget: z
      .strictObject({
        answer_tokens: count(2000, 100, 100_000).describe('Max tokens of an answer before it is cut.'),
        tokenizer: z
          .enum(['estimate', 'o200k'])
          .default('estimate')
          .describe('How tokens are counted: estimated, or exactly for o200k (needs gpt-tokenizer).'),
        ref_ttl_minutes: count(60, 1, 10_080).describe('How long the rest of a cut answer stays readable.'),
      })
      .prefault({}),
    audit: z
      .strictObject({
        retention_days: count(30, 1, 3650).describe('Days a record is stored.'),
        durability: z
          .enum(['normal', 'full'])
          .default('normal')
          .describe('What a record survives: a killed process, or a power cut too (slower).'),
        output_chars: count(4000, 0, 1_000_000).describe(
          'Characters of each scrubbed output stored in its record.',
        ),
        vault: z.boolean().default(false).describe('Store raw outputs, encrypted.'),
      })
      .prefault({}),
    scrub: z
      .strictObject({
        rules_file: z
          .string()
          .default('')
          .describe(
            'Your own rules in gitleaks format, added to the built-in ones; relative to the configuration folder.',
          ),
        allowlists: z
          .boolean()
          .default(false)
          .describe('Whether allowlists and disabled rules in that file apply when scrubbing.'),
        deadline_ms: count(10_000, 100, 600_000).describe(
          'Time limit for checking one output; after it the output is withheld.',
        ),
        forget_after_days: count(30, 1, 3650).describe(
          'Days after which a secret not seen again is forgotten.',
        ),
      })
      .prefault({}),
    sandbox: z
      .strictObject({
        mode: z
          .enum(['on', 'off'])
          .default('on')
          .describe(
            'Whether commands are confined; with off they run with all your rights, for machines with nothing to protect.',
          ),
        time_ms: count(120_000, 100, 3_600_000).describe('Timeout of a command unless the call sets one.'),
        cpu_seconds: count(120, 1, 86_400).describe('CPU time of a command and its child processes.'),
        memory_mb: count(512, 16, 1_048_576).describe('Memory of a command and its child processes.'),
        processes: count(128, 4, 65_536).describe('Max concurrent processes and threads of a command.'),
        file_mb: count(256, 1, 1_048_576).describe('Max size of a file a command writes.'),
        output_kb: count(1024, 1, 262_144).describe('Max output of a command before it is killed.'),
        disk_mb: count(2048, 1, 16_777_216).describe(
          'How much a command may add to the workspace; checked periodically.',
        ),
        disk_files: count(65_536, 1, 100_000_000).describe(
          'How many files, folders and links a command may add to the workspace, or have in /tmp; checked periodically.',
        ),
        caches_mb: count(10_240, 1, 16_777_216).describe(
          'Max size of all caches of commands together; above it, the least recently used are removed.',
        ),
        env: z
          .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*(=.*)?$/s))
          .default([])
          .describe('Environment of commands: NAME passes your value, NAME=value sets one.'),
        readable: z
          .array(z.string().min(1))
          .default([])
          .describe('Toolchains outside /usr that commands may read and run; `ctxd doctor` suggests some.'),
        protect: z
          .array(z.string().min(1))
          .default([])
          .describe('Workspace paths that agents may not write, in addition to the built-in ones.'),
      })
      .prefault({}),
    fetch: z
      .strictObject({
        time_ms: count(30_000, 100, 3_600_000).describe('Timeout of one web request.'),
        response_kb: count(5120, 1, 1_048_576).describe('Max size of a response.'),
      })
      .prefault({}),
    upstream: z
      .strictObject({
        transparent: z
          .boolean()
          .default(false)
          .describe('List the tools of MCP servers next to our own, as `<server>__<tool>`.'),
        on_change: z
          .enum(['hold', 'allow'])
          .default('hold')
          .describe('What to do with a tool that differs from the pinned one: block or allow it.'),
        connections: count(64, 1, 10_000).describe('Max concurrent connections to MCP servers.'),
        idle_minutes: count(15, 1, 10_080).describe('Idle time after which a connection is closed.'),
        start_ms: count(30_000, 100, 600_000).describe('Time an MCP server may take to start.'),
        message_kb: count(16_384, 16, 262_144).describe('Max size of a message from an MCP server.'),
      })
      .prefault({}),
    client: z
      .strictObject({
        mode: z
          .enum(['friendly', 'strict'])
          .default('friendly')
          .describe(
            "What the hooks do with a client's own shell and file tools: friendly scrubs them, strict denies them so that our tools are used.",
          ),
        allow_protected: z
          .array(z.string().min(1))
          .default([])
          .describe(
            "Protected places that agents may write with a client's own tools, as in the table of places.",
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
          .describe('Other providers by name, each with its address and API.'),
        proxy: z
          .string()
          .regex(proxyUrl)
          .default('')
          .describe(
            'Proxy for requests to providers, such as http://proxy.example:8080; empty for HTTPS_PROXY from the environment of the daemon, `none` for no proxy. NO_PROXY from that environment always applies, and this machine is never reached through a proxy.',
          ),
        request_bytes: count(33_554_432, 1024, 268_435_456).describe(
          'Max size of a request to a model, also after decompression.',
        ),
        timeout_ms: count(3_600_000, 1000, 86_400_000).describe(
          'Time limit for a model response, up to the last byte.',
        ),
      })
      .prefault({}),
    memory: z
      .strictObject({
        embedder: z
          .enum(['embedded', 'openai', 'ollama', 'onnx', 'off'])
          .default('embedded')
          .describe(
            'What computes embeddings: our own table, a server of one of these kinds, a model file, or nothing (keyword search only).',
          ),
        embedder_url: z
          .string()
          .default('')
          .describe('Address of that server, such as http://127.0.0.1:11434.'),
        embedder_model: z.string().default('').describe('Model to request from that server.'),
        embedder_key: z
          .string()
          .default('')
          .describe('Name of the secret (`ctxd secret set`) with the key of that server.'),
        embedder_file: z
          .string()
          .default('')
          .describe('Folder with model.onnx and vocab.txt, for embedder onnx.'),
        vectors: z
          .enum(['sqlite', 'qdrant'])
          .default('sqlite')
          .describe('Where vectors are stored and compared.'),
        qdrant_url: z.string().default('http://127.0.0.1:6333').describe('Address of Qdrant.'),
        qdrant_key: z.string().default('').describe('Name of the secret with the Qdrant key.'),
        at_start: count(2, 0, 5).describe('Memories a session receives for its task at start.'),
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
        budget: count(8192, 256, 32_768).describe('Token budget of a branch unless it sets one.'),
        depth: count(3, 1, 10).describe('Max nesting of branches.'),
        open: count(10, 1, 100).describe('Max open branches per session.'),
        minutes: count(30, 1, 1440).describe('Time after which a branch is closed.'),
      })
      .prefault({}),
    index: z
      .strictObject({
        file_kb: count(1024, 1, 65_536).describe('Max size of an indexed file.'),
        watch: z.boolean().default(true).describe('Keep indexed repositories current while the daemon runs.'),
      })
      .prefault({}),
    log: z
      .strictObject({
        level: z
          .enum(['debug', 'info', 'warn', 'error'])
          .default('info')
          .describe('Lowest level that is logged.'),
      })
      .prefault({}),
    workspace: z
      .strictObject({
        path: z
          .string()
          .default('')
          .describe(
            'Folder for callers that send none, such as HTTP; empty for the one the daemon was started in.',
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
 * Keys that a project may set. All others affect every project of this user or confine agents (where the daemon
 * listens, what is audited, how long a call may run), so only the user may set them.
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
  /** For messages: `an integer from 0 to 65535`. */
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
  if (schema.type === 'integer') return `an integer from ${schema.minimum} to ${schema.maximum}`
  if (schema.type === 'boolean') return 'true or false'
  if (schema.type === 'array') return 'a list of strings'
  if (schema.type === 'object') return 'tables like [model.providers.local] with url and api'
  if (schema.pattern === providerUrl.source) return providerUrlRule
  if (schema.pattern === proxyUrl.source)
    return 'empty, none, or an http or https address without credentials (put those in HTTPS_PROXY)'
  return schema.minLength === undefined ? 'a string' : 'a non-empty string'
}

export function readSetting(config: Config, key: ConfigKey): ConfigValue {
  const [section, name] = key.split('.') as [keyof Config, string]
  return (config[section] as Record<string, ConfigValue>)[name] as ConfigValue
}
