import { realpathSync } from 'node:fs'

import { formatCapability, type Capability } from '../../core/capability.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Clock, ToolHost } from '../../core/ports.ts'
import type { Result } from '../../core/result.ts'
import { addNotes } from '../../core/trail.ts'
import type { Folder, SandboxLimits } from '../../sandbox/sandbox.ts'
import { isInFolder } from '../files/path-pattern.ts'
import type { Egress } from '../http/egress.ts'
import { hostFetch, type EgressFor } from '../http/host-fetch.ts'
import { compileHostGrants, type HostGrants } from '../http/host-grants.ts'
import { foldersFor, type CommandView } from '../shell/confinement.ts'
import { timeLeft } from '../time-left.ts'
import type { ToolApprovals } from './approvals.ts'
import type { ToolExecutor } from './executor.ts'
import { createHostMethods } from './host-methods.ts'
import { compileSchema } from './input-schema.ts'
import type { PinnedCopies } from './pinned-copies.ts'
import { parseOutput, toolFailure } from './tool-answer.ts'
import { describeHit, limitsOf } from './tool-limits.ts'
import type { ToolPackage } from './tool-package.ts'
import { coversFolders, isAboutFiles, narrowView, toolSees, whyNotGrantable } from './tool-view.ts'

export interface RunParts {
  readonly executor: ToolExecutor
  readonly clock: Clock
  /** The limits of every tool, and the time of one that asks for none. */
  readonly limits: SandboxLimits
  /** Toolchains outside `/usr`: folders, and where their programs are. */
  readonly toolchains: { readonly folders: readonly string[]; readonly programs: readonly string[] }
  /** Folders of contextd, which no tool sees. */
  readonly ownFolders: readonly string[]
  readonly protect: readonly string[]
  readonly egressFor: EgressFor
  readonly copies: Pick<PinnedCopies, 'keep'>
  readonly approvals: ToolApprovals
}

/** Runs the approved bytes with the approved capabilities, as far as the rules allow them to the calling agent. */
export async function runUserTool(
  pkg: ToolPackage,
  input: JsonObject,
  host: ToolHost,
  parts: RunParts,
): Promise<Result> {
  const { call } = host
  const compiled = await compileSchema(pkg.inputSchema)
  if (!compiled.ok)
    throw new ContextdError('TOOL_PACKAGE_INVALID', { name: pkg.name, problem: compiled.problem })
  const fields = compiled.schema.check(input).map(({ field, expected }) => ({ field, expected }))
  if (fields.length > 0) throw new ContextdError('INVALID_ARGUMENTS', { fields })

  const workspace = realpathSync(call.project)
  const granted = parts.approvals.grantedTo(pkg, call)
  const view = viewOf(pkg, granted, workspace, host, parts)
  const folder = parts.copies.keep(pkg.files)
  if (view.hidden.some((hidden) => isInFolder(folder, hidden))) {
    throw new ContextdError('SANDBOX_UNAVAILABLE', {
      cause: 'the state folder of contextd is in the workspace, where a tool could see it',
      hint: 'Move it out of the project with CONTEXTD_HOME or XDG_STATE_HOME.',
    })
  }
  const stopper = new AbortController()
  const want = (capability: Capability): ContextdError => {
    const needed = parts.approvals.want(pkg, capability, call)
    const canAsk = needed.question !== undefined && call.ask?.kinds.includes('elicitation') === true
    const remedy =
      needed.isRefused === true
        ? 'The user said no for this session.'
        : canAsk
          ? 'Call it again with the same arguments: the user is asked then.'
          : `Ask the user to run \`${needed.command}\`.`
    const error = new ContextdError('APPROVAL_REQUIRED', { why: needed.why, hint: `${needed.why} ${remedy}` })
    addNotes(call.trail, [`${pkg.name} wanted ${formatCapability(capability)}`])
    stopper.abort(error)
    return error
  }

  const { toolchains } = parts
  const limits = limitsOf(pkg.manifest.limits, parts.limits, timeLeft(call, parts.clock()))
  const seenToolchains = toolchains.folders.map((path): Folder => ({ path, access: 'read' }))
  let ended
  try {
    ended = await parts.executor.run({
      folder,
      executable: pkg.executable,
      input,
      workspace,
      confinement: {
        ...view,
        folders: [...seenToolchains, ...view.folders],
        programs: toolchains.programs,
        limits,
      },
      methods: createHostMethods({
        tool: pkg.name,
        host,
        granted,
        optional: pkg.manifest.optional,
        fetch: hostFetch(narrowEgress(parts.egressFor(call), compileHostGrants(granted)), call),
        want,
      }),
      signal: AbortSignal.any([call.signal, stopper.signal]),
      onFault: (why) => addNotes(call.trail, [`${pkg.name} ${why}`]),
    })
  } catch (error) {
    // Whatever error the end was reported as, this is the cause.
    if (stopper.signal.aborted) throw stopper.signal.reason
    throw error
  }
  if (stopper.signal.aborted) throw stopper.signal.reason
  if (ended.exitCode === 0 && ended.limit === undefined) return parseOutput(ended)
  const words = ended.limit && describeHit(ended.limit, limits, pkg.manifest.limits, parts.limits)
  return toolFailure(ended, host.scrub, words)
}

/**
 * The folders of the workspace that both tool and agent may access. The agent must have everything the tool requires.
 */
function viewOf(
  pkg: ToolPackage,
  granted: readonly Capability[],
  workspace: string,
  { call }: ToolHost,
  { ownFolders, protect }: RunParts,
): CommandView {
  const terms = { workspace, ownFolders, protect }
  const files = granted.filter(isAboutFiles)
  if (files.length === 0) return { folders: [], hidden: [], guarded: [] }
  const agent = foldersFor({ grants: call.grants, ...terms })
  for (const required of pkg.manifest.required.filter(isAboutFiles)) {
    const { folders } = toolSees([required], terms)
    const capability = formatCapability(required)
    if (folders.length === 0) {
      const problem = whyNotGrantable(required, terms)
      if (problem !== undefined) throw new ContextdError('TOOL_PACKAGE_INVALID', { name: pkg.name, problem })
      const hint = 'Make that folder or file first.'
      throw new ContextdError('NOT_FOUND', {
        what: `folder or file for ${capability} of the tool ${pkg.name}`,
        hint,
      })
    }
    if (coversFolders(agent.folders, folders)) continue
    throw new ContextdError('CAPABILITY_NOT_GRANTED', { agent: call.principal?.agent, capability })
  }
  return narrowView(toolSees(files, terms), agent)
}

/** Hosts not granted to the tool are unreachable even if the agent may reach them, redirects included. */
function narrowEgress({ fetch }: Egress, tool: HostGrants): Egress {
  return {
    fetch: (request, agent, options) => {
      const both: HostGrants = {
        whyNot: (destination, address) =>
          tool.whyNot(destination, address) ?? agent.whyNot(destination, address),
      }
      return fetch(request, both, options)
    },
  }
}
