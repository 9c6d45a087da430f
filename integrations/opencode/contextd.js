/**
 * contextd for OpenCode. It routes model requests through contextd, attests the agent that makes a call, and runs
 * contextd's checks before built-in tools. For models that bypass the door, it has contextd scrub tool output. Plain
 * JavaScript without dependencies: OpenCode loads this one file.
 */

import { spawn } from 'node:child_process'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { connect } from 'node:net'
import { homedir } from 'node:os'
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path'

/** How to run contextd. `contextd init` writes the command for this machine; CONTEXTD_BIN overrides it. */
const PROGRAM = ['contextd']
/** Whether requests to models go through contextd (the model door). `contextd init` sets it, `--no-door` clears it. */
const DOOR = false
/**
 * In a plugin that is committed: what to say where contextd is missing. `works` is for machines on which contextd was
 * never used, whose sessions go on without it. Set by `contextd init --shared`.
 */
const ABSENT = null

/** The prefix that OpenCode adds to the names of our tools: the name of the server in `opencode.json`. */
const PREFIX = 'contextd_'
const ATTESTATION = 'contextd_attestation'
/** Identifies the sender of a request to a model. contextd does not forward it. */
const CALLER = 'x-contextd-caller'
/**
 * Longer folder paths would exceed the header length that contextd accepts. Without the folder, it cannot resolve
 * relative paths in tool inputs.
 */
const maxFolderLength = 300
/** contextd accepts nothing that is valid for more than 30 seconds; the clock may be adjusted in between. */
const lifetimeMs = 25_000
const agentName = /^[A-Za-z0-9_.:-]{1,128}$/
/** Names that would identify another agent if a subagent had them. */
const reserved = /^(?:main|default|fork)$/

export const Contextd = async ({ client, directory }) => {
  if (isOptionalHere()) return noticeOnce(client, ABSENT.works)
  const sessionOf = async (id) => {
    const { data } = await client.session.get({ path: { id } })
    if (data?.id !== id) throw new Error('contextd cannot determine which agent is calling')
    return data
  }
  const callerIn = (sessionID) => findCaller(sessionOf, sessionID)
  const ask = (name, caller, payload) =>
    askHook(name, { cwd: directory, ...about(caller), ...payload }, directory)
  const clean = createCleaner(async (caller, tool_name, texts) => {
    const use = { hook_event_name: 'PostToolUse', tool_name, tool_input: {}, tool_response: texts }
    const answer = await ask('scrub', caller, use)
    return answer === undefined ? texts : answer.hookSpecificOutput?.updatedToolOutput
  })

  const routes = createRoutes()

  return {
    // OpenCode creates its providers after this, and continues if it fails: then the requests bypass the door, and
    // everything is scrubbed here.
    config: async (config) => {
      if (DOOR) routes.expectModels(modelsIn(config), putBehind(await findDoor(directory), config.provider))
    },

    'chat.headers': async ({ sessionID, agent, model, provider }, { headers }) => {
      if (!DOOR) return
      const door = await findDoor(directory)
      if (door.problem !== undefined) throw new Error(notSent(door.problem))
      if (!isBehind(door, model, provider)) return routes.noteDirect(sessionID, agent, model)
      await ensureListening(door, directory)
      routes.noteBehind(sessionID, agent, model)
      const folder = directory.length <= maxFolderLength && { folder: directory }
      const expires = Date.now() + lifetimeMs
      headers[CALLER] = sign(
        { use: 'model', ...(await callerIn(sessionID)), ...folder, expires },
        attestationKey(),
      )
    },

    'chat.message': async ({ sessionID }, { parts }) => {
      await clean(() => callerIn(sessionID), 'message', parts.flatMap(textPlaces))
    },

    'tool.execute.before': async ({ tool, sessionID }, { args }) => {
      const caller = await callerIn(sessionID)
      if (isOurs(tool)) return attest(args, tool.slice(PREFIX.length), caller)
      if (tool === 'task' && args.task_id) refuseForeignTask(await sessionOf(args.task_id), sessionID, args)
      const event = { hook_event_name: 'PreToolUse' }
      const inFolder = {
        ...event,
        cwd: resolve(directory, typeof args.workdir === 'string' ? args.workdir : '.'),
      }
      const uses = inClaudeTerms(tool, args)
      const [masked, ...answers] = await Promise.all([
        // Text that was never sent to a model behind the door cannot be in its arguments.
        routes.isSessionBehind(sessionID)
          ? undefined
          : ask('scrub', caller, { ...event, tool_name: tool, tool_input: args }),
        ...uses.map((use) => ask('block-builtin', caller, { ...inFolder, ...use })),
        ...uses.map((use) => ask('protect', caller, { ...inFolder, ...use })),
      ])
      const reason = answers.slice(0, uses.length).some(denial)
        ? `contextd: ${tool} is disabled in strict mode. Use ${PREFIX}${replacementFor(tool)}.`
        : [...answers, masked].map(denial).find(Boolean)
      if (reason) throw new Error(reason)
      maskArguments(tool, args, masked?.hookSpecificOutput?.updatedInput)
    },

    'tool.execute.after': async ({ tool, sessionID, args }, output) => {
      if (isOurs(tool)) return void delete args?.[ATTESTATION]
      if (routes.isSessionBehind(sessionID)) return
      await clean(() => callerIn(sessionID), tool, answerPlaces(output))
    },

    // The last hook before the model: it also sees what no other hook does, such as failed calls.
    'experimental.chat.messages.transform': async (_, { messages }) => {
      const parts = messages.flatMap((message) => message.parts)
      for (const { tool, state } of parts) if (isOurs(tool)) delete state.input?.[ATTESTATION]
      if (routes.mayLeaveRaw(messages)) return
      await clean(() => callerIn(messages[0].info.sessionID), 'history', parts.flatMap(textPlaces))
    },
  }
}

/** Whether contextd is neither needed nor expected: the plugin is somebody else's, and contextd was never used here. */
function isOptionalHere() {
  return Boolean(ABSENT?.works) && !isInstalled() && !fs.existsSync(stateFolder(process.env, homedir()))
}

function isInstalled() {
  if (process.env.CONTEXTD_BIN) return true
  const folders = (process.env.PATH ?? '').split(delimiter).filter(isAbsolute)
  return folders.some((folder) => fs.existsSync(join(folder, PROGRAM[0])))
}

/** Printed for `opencode run`, which shows no notices. Not awaited: OpenCode serves nothing until plugins are loaded. */
function noticeOnce(client, message) {
  let isShown = false
  return {
    event: async ({ event }) => {
      if (isShown || event.type !== 'session.created') return
      isShown = true
      if (!process.stdout.isTTY) console.error(message)
      client.tui.showToast({ body: { title: 'contextd', message, variant: 'warning' } }).catch(() => {})
    },
  }
}

/**
 * Models that OpenCode knows itself, with the path of the door that replaces their address. A plugin can provide one
 * provider. Setting an address in the configuration instead would make OpenCode list providers nobody signed in to.
 */
const builtIn = { anthropic: 'anthropic/v1', openai: 'openai/v1', google: 'gemini/v1beta' }
const isDoorUsed = DOOR && !isOptionalHere()
const routing =
  (id) =>
  async ({ directory }) => ({
    ...(isDoorUsed && {
      provider: { id, models: async ({ models }) => modelsBehind(await findDoor(directory), id, models) },
    }),
  })
export const ContextdAnthropic = routing('anthropic')
export const ContextdOpenAI = routing('openai')
export const ContextdGoogle = routing('google')

function modelsBehind({ base }, id, models) {
  return Object.fromEntries(
    Object.entries(models).map(([name, model]) => {
      if (model.api?.url) return [name, model]
      return [name, { ...model, api: { ...model.api, url: `${base}/${builtIn[id]}` } }]
    }),
  )
}

/** The wire format of each provider package. */
const formats = {
  '@ai-sdk/anthropic': 'anthropic',
  '@ai-sdk/openai': 'openai',
  '@ai-sdk/openai-compatible': 'openai',
  '@ai-sdk/google': 'gemini',
}

/** Gives the providers of a configuration their addresses behind the door; returns the ids that are behind it. */
function putBehind(door, providers) {
  const behind = new Set(Object.keys(builtIn))
  for (const [id, provider] of Object.entries(providers ?? {})) {
    const address = addressBehind(door, id, provider)
    if (address === undefined) behind.delete(id)
    else {
      provider.options = { ...provider.options, baseURL: address }
      behind.add(id)
    }
  }
  return behind
}

/** Undefined for a provider that contextd's configuration does not name. */
function addressBehind({ base, providers }, id, { npm, api, options }) {
  const address = (options?.baseURL || api)?.replace(/\/$/, '')
  const own = Object.hasOwn(builtIn, id) ? builtIn[id] : undefined
  if (!address) return own && `${base}/${own}`
  const format = npm === undefined ? (own?.split('/')[0] ?? 'openai') : formats[npm]
  const fitting = providers.filter((one) => one.api === format && `${address}/`.startsWith(`${one.url}/`))
  const [found] = fitting.sort((one, other) => other.url.length - one.url.length)
  return found && `${base}/${found.name}${address.slice(found.url.length)}`
}

/** Every model that a configuration names, as `provider/model`. */
function modelsIn({ model, small_model, agent }) {
  const own = Object.values(agent ?? {}).map((one) => one?.model)
  return [model, small_model, ...own].filter((name) => typeof name === 'string')
}

/** Some login methods provide their own `fetch`, which can bypass the door. */
function isBehind({ base }, model, provider) {
  const address = provider?.options?.baseURL || model?.api?.url
  const usesDefaultFetch = typeof provider?.options?.fetch !== 'function'
  return usesDefaultFetch && typeof address === 'string' && address.startsWith(`${base}/`)
}

/**
 * Which models are behind the door, by the requests made so far. Text for them is not scrubbed here. As soon as another
 * model is in use, everything is scrubbed: OpenCode may send it the same history.
 */
function createRoutes() {
  const [models, sessions, raw] = [new Map(), new Map(), new Set()]
  let hasDirect = false
  const noteRoute = (isModelBehind, sessionID, agent, { providerID, id }) => {
    models.set(`${providerID}/${id}`, isModelBehind)
    // Titles are generated separately from the conversation, often by another model.
    if (agent !== 'title') sessions.set(sessionID, isModelBehind)
  }
  return {
    expectModels(names, behind) {
      hasDirect ||= names.some((name) => !behind.has(name.split('/')[0]))
    },
    noteBehind: (sessionID, agent, model) => noteRoute(true, sessionID, agent, model),
    noteDirect(sessionID, agent, model) {
      noteRoute(false, sessionID, agent, model)
      hasDirect = true
      if (agent !== 'title' && raw.has(sessionID)) throw new Error(notCleaned(model.providerID))
    },
    isSessionBehind: (sessionID) => !hasDirect && sessions.get(sessionID) === true,
    /** Whether the history can be sent to the model unchanged. */
    mayLeaveRaw(messages) {
      const last = messages.findLast(({ info }) => info.role === 'user')?.info
      const name = `${last?.model?.providerID}/${last?.model?.modelID}`
      const isRaw = !hasDirect && models.get(name) === true
      if (isRaw) raw.add(last.sessionID)
      else if (last !== undefined) raw.delete(last.sessionID)
      return isRaw
    },
  }
}

function notCleaned(provider) {
  return `contextd: ${provider} is not behind the model door, and the history was prepared for a model that is. Nothing was sent. Send the message again.`
}

function notSent(problem) {
  return `contextd: nothing was sent to the model, because the model door is not available: ${problem} Run \`ctxd doctor\`, then restart OpenCode.`
}

const doors = new Map()
/** Refuses connections: if the door is not available, nothing may bypass it. */
const nowhere = 'http://127.0.0.1:9/contextd-is-not-available'

/** Address and providers of the door; `problem` says why it is not available. Determined once, never rejects. */
function findDoor(project) {
  const state = stateFolder(process.env, homedir())
  if (!doors.has(state)) {
    const failed = ({ message }) => ({ base: nowhere, providers: [], problem: message })
    doors.set(state, locateDoor(state, project).catch(failed))
  }
  return doors.get(state)
}

/** Starts the daemon if none runs. The key stays in its file: what a program prints can end up in a log. */
async function locateDoor(state, project) {
  bypassProxies(process.env)
  const key = readDoorKey(join(state, 'keys', 'model-opencode'))
  const { url, providers } = JSON.parse(await runContextd(['door', '--json'], '', project))
  return { base: `${url}/model/${key}`, providers }
}

/** OpenCode sends every request to the proxy in the environment, even those to this machine. */
function bypassProxies(env) {
  const hosts = [env.NO_PROXY, env.no_proxy].flatMap((list) => (list ? list.split(',') : []))
  if (hosts.includes('*') || hosts.includes('127.0.0.1')) return
  env.NO_PROXY = env.no_proxy = [...hosts, '127.0.0.1'].join(',')
}

/** Restarts a daemon that ended. */
async function ensureListening({ base }, project) {
  if (await isListening(new URL(base))) return
  const again = await locateDoor(stateFolder(process.env, homedir()), project).catch(({ message }) => message)
  if (again.base !== base)
    throw new Error(notSent(again.base === undefined ? again : 'it has a new address.'))
}

function isListening({ hostname, port }) {
  return new Promise((done) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) })
    const end = (isOpen) => {
      socket.destroy()
      done(isOpen)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
}

function readDoorKey(path) {
  const text = readPrivate(path)?.toString().trim()
  if (text === undefined) throw new Error(`${path} is missing. Run \`ctxd init --platform opencode\`.`)
  if (!/^[A-Za-z0-9_-]{32,256}$/.test(text)) throw new Error(`${path} does not contain a key.`)
  return text
}

function isOurs(tool) {
  return typeof tool === 'string' && tool.startsWith(PREFIX)
}

/**
 * The caller of a session, as OpenCode itself reports it. The session of a subagent is the child of the one that started
 * it; all of them belong to the session the user works in.
 */
async function findCaller(sessionOf, sessionID) {
  const own = await sessionOf(sessionID)
  let top = own
  for (let depth = 0; top.parentID; depth += 1) {
    if (depth === 16) throw new Error('contextd cannot determine which agent is calling')
    top = await sessionOf(top.parentID)
  }
  const isMain = top.id === own.id
  if (typeof own.agent !== 'string') return { session: top.id, ...(!isMain && { instance: own.id }) }
  const agent = isMain ? own.agent.replace(/^build$/, 'main') : own.agent.replace(reserved, 'subagent:$&')
  return {
    session: top.id,
    ...(agentName.test(agent) && { agent }),
    ...(!isMain && { instance: own.id }),
  }
}

/** A subagent is resumed only for the session that started it, under the same name: its history is private. */
function refuseForeignTask(task, sessionID, { subagent_type }) {
  if (task.parentID !== sessionID || task.agent !== subagent_type) {
    throw new Error('contextd: this task belongs to another agent. Start a new one, without task_id.')
  }
}

/** Removes what the model wrote under this name; a caller without a name is not attested. */
function attest(args, tool, { session, agent, instance }, key = attestationKey()) {
  delete args[ATTESTATION]
  if (agent === undefined) return
  args[ATTESTATION] = sign(
    {
      agent,
      ...(instance !== undefined && { instance }),
      session,
      tool,
      args: createHash('sha256').update(canonical(args)).digest('base64url'),
      expires: Date.now() + lifetimeMs,
      nonce: randomBytes(16).toString('base64url'),
    },
    key,
  )
}

function sign(payload, key) {
  const signed = `v1.${Buffer.from(JSON.stringify(payload)).toString('base64url')}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

/** Canonical text of the arguments: as they will be sent, keys sorted, no white space. */
function canonical(value) {
  const write = (item) => {
    if (Array.isArray(item)) return `[${item.map(write).join(',')}]`
    if (item === null || typeof item !== 'object') return JSON.stringify(item)
    const keys = Object.keys(item).sort()
    return `{${keys.map((key) => `${JSON.stringify(key)}:${write(item[key])}`).join(',')}}`
  }
  return write(JSON.parse(JSON.stringify(value)))
}

function attestationKey() {
  return loadOrCreateKey(join(stateFolder(process.env, homedir()), 'keys', 'attestation.key'))
}

function stateFolder(env, home) {
  if (env.CONTEXTD_HOME) return join(env.CONTEXTD_HOME, 'state')
  return join(env.XDG_STATE_HOME || join(home, '.local', 'state'), 'contextd')
}

/** The key that contextd and this plugin share, created by the first to need it. */
function loadOrCreateKey(path) {
  const found = readKey(path)
  if (found !== undefined) return found
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    fs.writeFileSync(temporary, randomBytes(32), { flag: 'wx', mode: 0o600, flush: true })
    // Unlike a rename, a link never replaces a file: if contextd was first, its key stays.
    fs.linkSync(temporary, path)
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  } finally {
    fs.rmSync(temporary, { force: true })
  }
  return readKey(path)
}

function readKey(path) {
  const found = readPrivate(path)
  if (found !== undefined && found.length !== 32) throw new Error(`contextd: ${path} must contain 32 bytes`)
  return found
}

/** Undefined if the file does not exist. Throws if others could read or have created it. */
function readPrivate(path) {
  let file
  try {
    file = fs.openSync(path, 'r')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
  try {
    const { uid, mode } = fs.fstatSync(file)
    const folder = fs.statSync(dirname(path))
    const isPrivate = (mode & 0o077) === 0 && (folder.mode & 0o022) === 0
    const isOwn = process.getuid === undefined || (uid === process.getuid() && folder.uid === uid)
    if (!isOwn || (process.getuid !== undefined && !isPrivate)) {
      throw new Error(`contextd: ${path} must be a file that only you can read`)
    }
    return fs.readFileSync(file)
  } finally {
    fs.closeSync(file)
  }
}

/** The fields of a payload that identify its caller, named as in Claude Code's hooks. */
function about({ session, agent, instance }) {
  return {
    client: 'opencode',
    session_id: session,
    ...(instance !== undefined && { agent_id: instance }),
    // Without a name, it is an agent that no context is meant for.
    ...(agent !== 'main' && { agent_type: agent ?? 'unknown' }),
  }
}

const patchedFile = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm

/** Each file of a patch with its edits; a moved file is listed under both names. */
function patchedFiles(patch) {
  const heads = [...patch.matchAll(patchedFile)]
  const isMove = ([line]) => line.startsWith('*** Move')
  return heads.map((head, nth) => {
    const next = heads.slice(nth + 1).find((other) => !isMove(other))
    const lines = isMove(head) ? '' : patch.slice(head.index + head[0].length, next?.index)
    return { file_path: head[1].trim(), edits: lines.split(/^@@.*$/m).map(hunkAsEdit) }
  })
}

/** The lines of a hunk before and after the change. */
function hunkAsEdit(hunk) {
  const lines = hunk
    .replace(/^\n|\n$/g, '')
    .split('\n')
    .filter((line) => !line.startsWith('***'))
  const without = (marker) =>
    lines.flatMap((line) => (line.startsWith(marker) ? [] : [line.slice(1)])).join('\n')
  return { old_string: without('+'), new_string: without('-') }
}

/** Converts the use of a tool to the format of Claude Code, which contextd's hooks understand. */
function inClaudeTerms(tool, args) {
  const use = (tool_name, tool_input) => [{ tool_name, tool_input }]
  const file = { file_path: args.filePath ?? '' }
  switch (tool) {
    case 'bash':
      return use('Bash', { command: args.command ?? '' })
    case 'read':
    case 'lsp':
      return use('Read', file)
    case 'write':
      return use('Write', { ...file, content: args.content ?? '' })
    case 'edit':
      return use('Edit', { ...file, old_string: args.oldString ?? '', new_string: args.newString ?? '' })
    case 'multiedit':
      return use('Edit', { ...file, edits: args.edits ?? [] })
    case 'patch':
    case 'apply_patch':
      return patchedFiles(String(args.patchText)).flatMap((patched) => use('Edit', patched))
    case 'list':
      return use('LS', { path: args.path ?? '.' })
    case 'glob':
    case 'grep':
      return use(tool === 'glob' ? 'Glob' : 'Grep', { ...args, path: args.path ?? '.' })
    case 'webfetch':
      return use('WebFetch', { url: args.url ?? '' })
    case 'task':
      return args.task_id ? use('SendMessage', { to: args.task_id }) : []
    default:
      return use(`mcp__${tool}`, args)
  }
}

function replacementFor(tool) {
  if (tool === 'read' || tool === 'lsp') return 'safe_read'
  if (tool === 'webfetch') return 'http_fetch'
  if (tool === 'edit' || tool === 'multiedit') return 'safe_edit'
  if (tool === 'glob' || tool === 'grep') return `safe_${tool}`
  return tool === 'bash' || tool === 'list' ? 'safe_bash' : 'safe_write'
}

function denial(answer) {
  const { permissionDecision, permissionDecisionReason } = answer?.hookSpecificOutput ?? {}
  return permissionDecision === 'deny' ? permissionDecisionReason || 'contextd refused this.' : undefined
}

/** The text fields of a tool result: `output` for a built-in tool, blocks for a tool of an MCP server. */
function answerPlaces(output) {
  const holders = [
    output,
    output.metadata,
    ...(output.content ?? []).flatMap((block) => [block, block.resource]),
  ]
  return holders.flatMap((holder) =>
    ['output', 'text'].filter((name) => typeof holder?.[name] === 'string').map((name) => [holder, name]),
  )
}

/** The text fields of a message part that come from a tool or a file. The user's own text is not changed. */
function textPlaces(part) {
  if (part.type === 'text') return part.synthetic === true ? [[part, 'text']] : []
  if (part.type !== 'tool' || isOurs(part.tool)) return []
  return ['output', 'error']
    .filter((name) => typeof part.state[name] === 'string')
    .map((name) => [part.state, name])
}

/** Private context of another agent must not enter a file or a message; masking would change the meaning of a command. */
function maskArguments(tool, args, masked) {
  if (masked === undefined) return
  if (tool === 'bash')
    throw new Error("contextd: this command contains another agent's private context. Remove it.")
  Object.assign(args, masked)
}

const maxCachedTexts = 20_000
const withheldText =
  'contextd withheld this text: it could not be checked for secrets. The user can run `ctxd doctor`.'

/** Replaces each text with contextd's scrubbed version. Text scrubbed once is not sent again. */
function createCleaner(scrub) {
  const known = new Map()
  return async (callerOf, tool, places) => {
    const caller = places.length > 0 ? await callerOf() : {}
    const keyOf = (text) =>
      createHash('sha256').update(`${caller.session} ${caller.instance} ${text}`).digest('base64')
    const fresh = places.filter(([holder, name]) => !known.has(keyOf(holder[name])))
    if (fresh.length > 0) {
      const texts = fresh.map(([holder, name]) => holder[name])
      const cleaned = await scrub(caller, tool, texts).catch(() => undefined)
      texts.forEach((text, index) => {
        const clean = cleaned?.length === texts.length ? cleaned[index] : undefined
        if (typeof clean !== 'string') return
        known.set(keyOf(text), clean === text ? undefined : clean)
        known.set(keyOf(clean), undefined)
      })
    }
    for (const [holder, name] of places) {
      const key = keyOf(holder[name])
      holder[name] = known.has(key) ? (known.get(key) ?? holder[name]) : withheldText
    }
    for (const key of known.keys()) if (known.size > maxCachedTexts) known.delete(key)
  }
}

/** Asks contextd. Any failure is an error: then the tool does not run, or its answer is withheld. */
async function askHook(name, payload, project) {
  const out = await runContextd(['hook', name], JSON.stringify(payload), project)
  return out === '' ? undefined : JSON.parse(out)
}

async function runContextd(words, input, project) {
  const [program, ...args] = process.env.CONTEXTD_BIN ? [process.env.CONTEXTD_BIN] : PROGRAM
  // Applies to Claude Code's requests only.
  const { ANTHROPIC_BASE_URL: _, ...env } = { ...process.env, CLAUDE_PROJECT_DIR: project }
  const child = spawn(program, [...args, ...words], { env, timeout: 30_000 })
  // A program that ends early is reported by its exit.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [out, problem, code] = await Promise.all([
    readAll(child.stdout),
    readAll(child.stderr),
    new Promise((done) => child.on('close', done).on('error', () => done('no start'))),
  ])
  if (code === 'no start' && ABSENT) throw new Error(ABSENT.refuses)
  if (code !== 0)
    throw new Error(`contextd: ${readProblem(problem) || 'it cannot be run, so nothing can be checked'}`)
  return out
}

function readProblem(text) {
  try {
    const { message, hint } = JSON.parse(text).error
    return [message, hint].filter(Boolean).join(' ')
  } catch {
    return text.slice(0, 500)
  }
}

async function readAll(stream) {
  const chunks = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString().trim()
}

// OpenCode treats every export as a plugin, so the parts that are tested separately are properties of the only one.
Object.assign(Contextd, {
  sign,
  canonical,
  attest,
  findCaller,
  stateFolder,
  loadOrCreateKey,
  createCleaner,
  addressBehind,
})
