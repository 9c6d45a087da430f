/** One thing that `ctxd doctor` looks at, and what it found. */
export interface DoctorCheck {
  readonly id: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly message: string
  readonly fix?: string
}

export type CheckResult = Omit<DoctorCheck, 'id'>
