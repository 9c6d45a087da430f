import { configureGlobal } from 'fast-check'

// The same examples in every run: what fails fails again, and nothing fails by bad luck. Another seed is another search.
configureGlobal({ seed: 1 })
