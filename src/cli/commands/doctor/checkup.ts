/** One check of `ctxd doctor` and its result. */
export interface DoctorCheck {
  readonly id: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly message: string
  readonly fix?: string
}

export type CheckResult = Omit<DoctorCheck, 'id'>
