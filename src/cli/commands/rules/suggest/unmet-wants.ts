/** Whether capabilities cover what a call wanted, by the parts that decide about calls, and the smallest grant if not. */

import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'

import { homeFolder } from '@contextd/shared/files/home-folder'
import { quotedCommand } from '@contextd/shared/text/quoted-command'
import { visibleText } from '@contextd/shared/text/visible-text'
import { tokenPattern } from '@contextd/scrub/internal/secret-token'
import { OWN_SERVER } from '../../../../core/call.ts'
import { parseCapability, type Capability } from '../../../../core/capability.ts'
import { tokensIn } from '../../../../core/tokens/secret-forms.ts'
import { ownFoldersIn, type Paths } from '../../../../platform/files/paths.ts'
import { subtractCapabilities } from '../../../../stages/policy/capability-grants.ts'
import type { RuleChange } from '../../../../stages/policy/edit/change-rules.ts'
import type { Reveal } from '../../../../stages/policy/rules-schema.ts'
import { revealArguments } from '../../../../stages/scrub/reveal.ts'
import { createFileTools, type FileTools } from '../../../../tools/files/file-tools.ts'
import { foldCase, isInFolder } from '../../../../tools/files/path-pattern.ts'
import { foldedPrivatePaths, isPrivate } from '../../../../tools/files/private-paths.ts'
import { parseAddress } from '../../../../tools/http/addresses.ts'
import { compileHostGrants, missingGrant } from '../../../../tools/http/host-grants.ts'
import { readHost } from '../../../../tools/http/target.ts'
import { isCommandGranted, simpleCommands } from '../../../../tools/shell/command-patterns.ts'
import { foldersFor } from '../../../../tools/shell/confinement.ts'
import { realPathOf } from '../../../../tools/real-path.ts'
import type { Want } from './wants.ts'

/** What would help: a change of the rules, or something else, in words. */
export type Remedy = { readonly change: RuleChange } | { readonly instead: string }

export interface Grants {
  readonly agent: string
  readonly project: string
  readonly server: string
  readonly tool: string
  readonly runsCommands: boolean
  readonly grants: readonly Capability[]
  readonly reveal: readonly Reveal[]
}

export interface WantJudge {
  /** Undefined if the want is met. */
  (want: Want, granted: Grants): Remedy | undefined
}

export function createWantJudge(paths: Paths, protect: readonly string[]): WantJudge {
  const ownFolders = ownFoldersIn(paths)
  const files = createFileTools({
    hashKey: Buffer.alloc(32),
    ownFolders,
    protect,
    notes: join(paths.state, 'writes'),
  })
  return (want, granted) => {
    switch (want.kind) {
      case 'file':
        return fileRemedy(want, granted, files, ownFolders)
      case 'working-folder':
        return folderRemedy(want, granted, { ownFolders, protect })
      case 'host':
        return hostRemedy(want, granted)
      case 'command':
        return commandRemedy(want.command, granted)
      case 'capability':
        return capabilityRemedy(want.capability, granted)
      case 'secrets':
        return secretsRemedy(want, granted)
    }
  }
}

const grant = (capability: string): Remedy => ({ change: { kind: 'grant', capability } })
const instead = (text: string): Remedy => ({ instead: text })

/** Agents choose paths, and a wildcard in a name would grant more than was refused. */
const hasWildcard = /[*?[\]{}]/

function fileRemedy(
  { action, path, isFolder }: Extract<Want, { kind: 'file' }>,
  { agent, project, grants }: Grants,
  files: FileTools,
  ownFolders: readonly string[],
): Remedy | undefined {
  if (action === 'read' && !existsSync(path))
    return instead(`${path} does not exist: no rule can change that.`)
  const accessWith = (some: readonly Capability[]) =>
    files.accessFor({ project, grants: some, principal: { agent, level: 'attested' } })
  const access = accessWith(grants)
  const isMet =
    action === 'read'
      ? access.mayRead(path)
      : access.mayWrite(path) && access.whyProtected(path) === undefined
  if (isMet) return undefined
  if (ownFolders.map(realPathOf).some((folder) => isInFolder(foldCase(path), foldCase(folder))))
    return instead(`${path} belongs to contextd itself, which no rule opens to agents.`)
  // Agents choose paths, and users copy commands.
  const explicit = quotedCommand(['ctxd', 'rules', 'grant', agent, `fs:${action}:${path}`])
  if (isPrivate(path, foldedPrivatePaths(realPathOf(homeFolder())), []))
    return instead(
      `${path} is one of the private places of your home folder (keys, logins, histories; see docs/reference/places.md). Copy what the agent needs into the workspace. Only a grant that names it opens it: ${explicit}`,
    )
  const reason = action === 'write' ? accessWith([]).whyProtected(path) : undefined
  if (reason !== undefined)
    return instead(
      `${path} is protected (${reason}). Make the change yourself. Only a grant that names it opens it: ${explicit}`,
    )
  if (hasWildcard.test(path) || visibleText(path) !== path)
    return instead(
      `${path} has characters that are wildcards or invisible in a rule: rename it, or grant its folder.`,
    )
  return grant(
    `fs:${action}:${scopeOf(path, access.workspace)}${isFolder ? '/**' : ''}`.replace(/:\/\*\*$/, ':**'),
  )
}

/** Relative inside the workspace, as rules usually are. Empty for the workspace itself. */
function scopeOf(path: string, workspace: string): string {
  if (!isInFolder(path, workspace)) return path
  const inside = relative(workspace, path)
  return inside.startsWith('~') ? `./${inside}` : inside
}

function folderRemedy(
  { path }: Extract<Want, { kind: 'working-folder' }>,
  { project, grants }: Grants,
  terms: { readonly ownFolders: readonly string[]; readonly protect: readonly string[] },
): Remedy | undefined {
  const workspace = realPathOf(project)
  const { folders } = foldersFor({ grants, workspace, ...terms })
  if (folders.some((folder) => isInFolder(path, folder.path))) return undefined
  if (!existsSync(path)) return instead(`${path} does not exist: no rule can change that.`)
  if (hasWildcard.test(path) || visibleText(path) !== path)
    return instead(`${path} has characters that are wildcards or invisible in a rule.`)
  const scope = scopeOf(path, workspace)
  return grant(scope === '' ? 'fs:read:**' : `fs:read:${scope}/**`)
}

function hostRemedy(
  { host: name, port, method, address: found }: Extract<Want, { kind: 'host' }>,
  { grants }: Grants,
): Remedy | undefined {
  const host = readHost(name.includes(':') ? `[${name}]` : name)
  if (host === undefined) return instead(`${name} is not the name of a host.`)
  const destination = { host, port, ...(method !== undefined && { method }) }
  const granted = compileHostGrants(grants)
  const address = found === undefined ? undefined : parseAddress(found)
  const reason = granted.whyNot(destination) ?? (address && granted.whyNot(destination, address))
  if (reason === undefined) return undefined
  if (missingGrant(reason, destination) === undefined)
    return instead(`${name}: ${reason}, and no grant overrides a deny.`)
  const target = reason === granted.whyNot(destination) ? host.name : (found ?? host.name)
  const written = target.includes(':') ? `[${target}]` : target
  return grant(`http:fetch:${method === undefined ? '' : `${method}@`}${written}:${port}`)
}

function commandRemedy(command: string, { agent, grants }: Grants): Remedy | undefined {
  if (isCommandGranted(command, grants)) return undefined
  const whole = `Every command, confined to the sandbox: ctxd rules grant ${agent} shell:exec`
  if (command.search(tokenPattern) !== -1)
    return instead(`The command contains a secret, which no pattern can name. ${whole}`)
  const parts = simpleCommands(command)
  if (parts === undefined)
    return instead(`No pattern matches a command with substitutions, groups or here-documents. ${whole}`)
  const part = parts.find((one) => !isCommandGranted(one, grants))
  if (part === undefined || part.includes('*') || visibleText(part) !== part)
    return instead(`The command has a "*", which would be a wildcard in a rule. ${whole}`)
  return grant(`shell:exec:${part}`)
}

function capabilityRemedy(text: string, { tool, grants }: Grants): Remedy | undefined {
  const wanted = parseCapability(text)
  if (wanted === undefined || visibleText(text) !== text)
    return instead(`The tool ${tool} asks for "${text}", which is not a capability.`)
  return grants.some((one) => subtractCapabilities([wanted], [one]).length === 0) ? undefined : grant(text)
}

function secretsRemedy(
  { reveal: wanted, args }: Extract<Want, { kind: 'secrets' }>,
  { agent, server, tool, grants, reveal: rules, runsCommands }: Grants,
): Remedy | undefined {
  const values = new Map([...tokensIn(args)].map((token) => [token, 'value']))
  const terms = {
    tool: server === OWN_SERVER ? tool : `${server}.${tool}`,
    granted: grants.some(({ kind }) => kind === 'secret:reveal'),
    rules,
    runsCommands,
  }
  if (revealArguments(args, values, terms).kept.length === 0) return undefined
  const isThere = (one: Reveal): boolean =>
    terms.granted &&
    rules.some(
      ({ tool: named, argument, host }) =>
        named === one.tool && argument === one.argument && host === one.host,
    )
  const next = wanted.find((one) => !isThere(one))
  if (next === undefined)
    return instead('A reveal rule is there already, but the value might go elsewhere too.')
  if (runsCommands)
    return instead(
      `A command could print the secret. Use http_fetch, or name the host that it is sent to: ctxd rules reveal ${agent} ${tool} --host <host>`,
    )
  return { change: { kind: 'reveal', reveal: next } }
}
