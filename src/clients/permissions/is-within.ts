export { isWithin } from '../../platform/within.ts'
