import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { composeRuntime, type ComposeOptions, type Runtime } from '../../src/compose.ts'
import { LOCAL_TENANT } from '../../src/core/call.ts'
import { resolvePaths } from '../../src/platform/files/paths.ts'
import { day, type CertificateSubject } from '../../src/platform/tls/authority.ts'
import { certifyCaller, setUpTls, type TlsPlace } from '../../src/platform/tls/changes.ts'
import { serialOf } from '../../src/platform/tls/certificate.ts'
import { openTls } from '../../src/platform/tls/open-tls.ts'
import { issuedCertificates } from '../../src/platform/tls/issued.ts'
import { keyPem, pem } from '../../src/platform/tls/tls-folder.ts'
import { controlTools } from '../../src/servers/control/control-tools.ts'
import type { DoorLimits } from '../../src/servers/limits/door-limits.ts'
import { serveControl, type ControlServer } from '../../src/servers/control/grpc-server.ts'
import { createWorkspaces } from '../../src/servers/sessions/workspaces.ts'

/** The credentials of a caller, in the form that clients accept. */
export interface Shown {
  readonly ca: string
  readonly cert: string
  readonly key: string
  readonly serial: string
}

export interface GrpcDoor extends ControlServer {
  readonly runtime: Runtime
  readonly home: string
  /** Issues a certificate of our authority. */
  issue(caller: CertificateSubject): Shown
  revoke(serial: string): void
  readonly log: readonly string[]
  /** The limits for which connections were dropped. */
  readonly hits: readonly string[]
}

export interface GrpcDoorOptions extends Pick<ComposeOptions, 'tools'> {
  /** Lines of the section `[control]`. */
  readonly control?: string
  readonly rules?: object
  /** Whether to serve TCP too, with its own certificates. */
  readonly tls?: boolean
  readonly limits?: Partial<DoorLimits>
}

/** The real contextd, served over gRPC, in a folder that is removed when it is closed. */
export async function grpcDoor({
  control = '',
  rules,
  tls,
  limits = {},
  ...parts
}: GrpcDoorOptions = {}): Promise<GrpcDoor> {
  const home = mkdtempSync(join(tmpdir(), 'contextd-grpc-'))
  const env = { CONTEXTD_HOME: home }
  const { configFile, rulesFile, ...paths } = resolvePaths(env)
  mkdirSync(dirname(configFile))
  writeFileSync(configFile, `[control]\nport = 0\n${control}`)
  if (rules !== undefined) writeFileSync(rulesFile, JSON.stringify(rules))
  const log: string[] = []
  const hits: string[] = []
  const composed = {
    env,
    log: (...line: unknown[]) => void log.push(JSON.stringify(line)),
    control: controlTools,
  }
  const runtime = await composeRuntime({ ...composed, cwd: home, ...parts })
  const open = (cwd: string): Promise<Runtime> => composeRuntime({ ...composed, cwd })
  const workspaces = createWorkspaces({ own: runtime, open })
  const place: TlsPlace = { folder: paths.tls, store: runtime.store, tenant: LOCAL_TENANT, clock: Date.now }
  if (tls === true) setUpTls(place, ['localhost', '127.0.0.1'])
  const onEvent = (name: string, details: Parameters<Runtime['audit']['event']>[1]): void =>
    void runtime.audit.event(name, details)
  const served = await serveControl({
    runtime,
    workspaces,
    tls: openTls({ ...place, onEvent }),
    graceMs: 200,
    limits,
    onLimitHit: (limit) => void hits.push(limit),
  })
  return {
    ...served,
    runtime,
    home,
    log,
    hits,
    issue(caller) {
      const { certificate, key, authority } = certifyCaller(place, caller, day)
      const serial = serialOf(certificate)
      return { ca: pem(authority.certificate), cert: pem(certificate), key: keyPem(key), serial }
    },
    revoke: (serial) => void issuedCertificates(runtime.store, LOCAL_TENANT, Date.now).revoke(serial),
    async close() {
      await served.close()
      await workspaces.close()
      await runtime.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
