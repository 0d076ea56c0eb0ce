/** The name of a request, as every edge service gives it. */
export { requestIdOf } from '@murmuration/kernel'
