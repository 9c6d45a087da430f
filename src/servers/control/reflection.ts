/** grpc.reflection.v1: describes the API from the generated descriptors, for clients without proto files. */

import { create, toBinary, type DescFile } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt'
import { Code, type ConnectRouter } from '@connectrpc/connect'

import { Health } from './gen/grpc/health/v1/health_pb.ts'
import {
  ServerReflection,
  ServerReflectionResponseSchema,
  type ServerReflectionRequest,
  type ServerReflectionResponse,
} from './gen/grpc/reflection/v1/reflection_pb.ts'
import { services } from './messages.ts'

const offered = [...services, Health, ServerReflection]

export function addReflection(router: ConnectRouter): void {
  router.service(ServerReflection, {
    async *serverReflectionInfo(requests) {
      for await (const request of requests) yield reflect(request)
    },
  })
}

type Answered = ServerReflectionResponse['messageResponse']

function reflect(request: ServerReflectionRequest): ServerReflectionResponse {
  return create(ServerReflectionResponseSchema, {
    validHost: request.host,
    originalRequest: request,
    messageResponse: answerTo(request.messageRequest),
  })
}

function answerTo({ case: kind, value }: ServerReflectionRequest['messageRequest']): Answered {
  switch (kind) {
    case 'listServices': {
      const service = offered.map(
        ({ typeName: name }) => ({ $typeName: 'grpc.reflection.v1.ServiceResponse', name }) as const,
      )
      return {
        case: 'listServicesResponse',
        value: { $typeName: 'grpc.reflection.v1.ListServiceResponse', service },
      }
    }
    case 'fileByFilename':
      return filesAnswer(known().files.get(value))
    case 'fileContainingSymbol':
      return filesAnswer(known().symbols.get(value.replace(/^\./, '')))
    case 'allExtensionNumbersOfType':
      // Our messages cannot be extended, so an existing one has an empty list.
      return known().messages.has(value)
        ? {
            case: 'allExtensionNumbersResponse',
            value: {
              $typeName: 'grpc.reflection.v1.ExtensionNumberResponse',
              baseTypeName: value,
              extensionNumber: [],
            },
          }
        : failure(Code.NotFound, 'there is no such message')
    case 'fileContainingExtension':
      return failure(Code.NotFound, 'there are no extensions')
    case undefined:
      return failure(Code.InvalidArgument, 'this asks nothing')
  }
}

function filesAnswer(file: DescFile | undefined): Answered {
  if (file === undefined) return failure(Code.NotFound, 'there is no such file or name')
  return {
    case: 'fileDescriptorResponse',
    value: { $typeName: 'grpc.reflection.v1.FileDescriptorResponse', fileDescriptorProto: bytesOf(file) },
  }
}

function failure(errorCode: Code, errorMessage: string): Answered {
  return {
    case: 'errorResponse',
    value: { $typeName: 'grpc.reflection.v1.ErrorResponse', errorCode, errorMessage },
  }
}

/** The file and all its imports, because a client needs them too. */
function bytesOf(file: DescFile): Uint8Array[] {
  return [...withImports(file)].map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto))
}

function withImports(file: DescFile, found = new Set<DescFile>()): Set<DescFile> {
  for (const imported of file.dependencies) withImports(imported, found)
  return found.add(file)
}

interface Known {
  readonly files: ReadonlyMap<string, DescFile>
  readonly symbols: ReadonlyMap<string, DescFile>
  readonly messages: ReadonlySet<string>
}

let found: Known | undefined

/** Built on first use. */
function known(): Known {
  found ??= lookUp()
  return found
}

function lookUp(): Known {
  const all = new Set<DescFile>()
  for (const { file } of offered) withImports(file, all)
  const files = new Map<string, DescFile>()
  const symbols = new Map<string, DescFile>()
  const messages = new Set<string>()
  for (const file of all) {
    files.set(file.proto.name, file)
    const types = [...file.messages.flatMap(withNested), ...file.enums, ...file.services]
    for (const type of types) {
      symbols.set(type.typeName, file)
      if (type.kind === 'message') messages.add(type.typeName)
      for (const part of partsOf(type)) symbols.set(`${type.typeName}.${part}`, file)
    }
  }
  return { files, symbols, messages }
}

type Type = DescFile['messages'][number] | DescFile['enums'][number] | DescFile['services'][number]

function withNested(
  message: DescFile['messages'][number],
): (DescFile['messages'][number] | DescFile['enums'][number])[] {
  return [message, ...message.nestedEnums, ...message.nestedMessages.flatMap(withNested)]
}

function partsOf(type: Type): string[] {
  switch (type.kind) {
    case 'message':
      return type.fields.map(({ name }) => name)
    case 'enum':
      return type.values.map(({ name }) => name)
    case 'service':
      return type.methods.map(({ name }) => name)
  }
}
