export type GrpcStatus =
  | 'INVALID_ARGUMENT'
  | 'UNAUTHENTICATED'
  | 'PERMISSION_DENIED'
  | 'NOT_FOUND'
  | 'FAILED_PRECONDITION'
  | 'RESOURCE_EXHAUSTED'
  | 'DEADLINE_EXCEEDED'
  | 'CANCELLED'
  | 'UNAVAILABLE'
  | 'INTERNAL'
  | 'DATA_LOSS'

export interface CatalogueEntry {
  /** `{name}` is filled from the details. Never holds an argument value. */
  readonly message: string
  readonly jsonrpc: number
  readonly grpc: GrpcStatus
  readonly http: number
  readonly exit: number
  /** What to do about it. `{name}` is filled likewise; without a value, the error has no hint. */
  readonly hint: string
}
