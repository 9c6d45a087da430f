import { configureGlobal } from 'fast-check'

// The same examples in every run: what fails fails again, and nothing fails by bad luck. CONTEXTD_SEED=<n> searches elsewhere.
configureGlobal({ seed: Number(process.env.CONTEXTD_SEED ?? 1) })
