/** Id of a request: from its `X-Request-Id` header or random. */
export { requestIdOf } from '@murmuration/kernel'
