import { configureGlobal } from 'fast-check'

// The same examples in every run, so that failures are reproducible. CONTEXTD_SEED=<n> tries others.
configureGlobal({ seed: Number(process.env.CONTEXTD_SEED ?? 1) })
