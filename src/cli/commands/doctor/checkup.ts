/** One check of `ctxd doctor` and its result. */
export interface Check {
  readonly id: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly message: string
  readonly fix?: string
}

export type Finding = Omit<Check, 'id'>
