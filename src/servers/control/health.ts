/** grpc.health.v1: whether we accept calls. Needs no session, only a permitted connection. */

import { once } from 'node:events'

import { create } from '@bufbuild/protobuf'
import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect'

import {
  Health,
  HealthCheckResponseSchema,
  HealthCheckResponse_ServingStatus as Status,
  type HealthCheckResponse,
} from './gen/grpc/health/v1/health_pb.ts'
import { ServerReflection } from './gen/grpc/reflection/v1/reflection_pb.ts'
import { services } from './messages.ts'

/** The empty name is the whole server. */
const names = new Set([
  '',
  Health.typeName,
  ServerReflection.typeName,
  ...services.map(({ typeName }) => typeName),
])

export function addHealth(router: ConnectRouter): void {
  router.service(Health, {
    check({ service }) {
      if (!names.has(service)) throw new ConnectError('there is no such service', Code.NotFound)
      return answer(Status.SERVING)
    },
    async *watch({ service }, context) {
      yield answer(names.has(service) ? Status.SERVING : Status.SERVICE_UNKNOWN)
      // Nothing changes until shutdown, which the caller then notices.
      if (!context.signal.aborted) await once(context.signal, 'abort')
    },
  })
}

function answer(status: HealthCheckResponse['status']): HealthCheckResponse {
  return create(HealthCheckResponseSchema, { status })
}
